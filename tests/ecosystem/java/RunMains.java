import java.io.BufferedReader;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.security.Permission;
import java.util.Arrays;

/**
 * Runs programs one after another in one JVM, as separate JVMs would: each with its own output and exit code.
 *
 * <p>A line of standard input has the file for the output, the main class and the arguments, with tabs between. The answer on
 * standard output is a line with the code.
 */
public final class RunMains {
  /** Thrown in place of the end of the JVM. An error, as programs catch exceptions. */
  private static final class Exit extends Error {
    private static final long serialVersionUID = 1;
  }

  private static volatile Integer code;

  private RunMains() {}

  public static void main(String[] ignored) throws Exception {
    PrintStream answers = System.out;
    System.setSecurityManager(
        new SecurityManager() {
          @Override
          public void checkExit(int status) {
            if (code == null) {
              code = status;
            }
            throw new Exit();
          }

          @Override
          public void checkPermission(Permission permission) {}
        });
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] parts = line.split("\t", -1);
      try (PrintStream out = new PrintStream(new FileOutputStream(parts[0]), true, StandardCharsets.UTF_8)) {
        System.setOut(out);
        System.setErr(out);
        code = null;
        answers.println(run(parts[1], Arrays.copyOfRange(parts, 2, parts.length)));
      }
    }
    Runtime.getRuntime().halt(0);
  }

  private static int run(String name, String[] arguments) throws Exception {
    try {
      Method main = Class.forName(name).getMethod("main", String[].class);
      main.setAccessible(true);
      main.invoke(null, (Object) arguments);
    } catch (InvocationTargetException error) {
      if (code == null) {
        error.getCause().printStackTrace();
        return 1;
      }
    } catch (ReflectiveOperationException error) {
      error.printStackTrace();
      return 1;
    }
    return code == null ? 0 : code;
  }
}
