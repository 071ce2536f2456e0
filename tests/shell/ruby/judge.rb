# Evaluates the expressions of a JSON array on standard input, each for itself, as HBase's shell would: what was printed,
# and behind "=>" what came back, or the error.
require 'json'
require 'stringio'

class HBaseReceiver
  def get_binding
    binding
  end
end

answers = JSON.parse(STDIN.read).map do |source|
  printed = StringIO.new
  $stdout = printed
  begin
    answer = "=> #{HBaseReceiver.new.get_binding.eval(source, '(hbase)').inspect}"
  rescue Exception => error
    answer = "#{error.class} (#{error.message})"
  end
  $stdout = STDOUT
  printed.string + answer
end
puts JSON.generate(answers)
