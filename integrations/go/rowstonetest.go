// Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in compliance with
// the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
//
// Unless required by applicable law or agreed to in writing, software distributed under the License is distributed on
// an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the License for the
// specific language governing permissions and limitations under the License.

// Package rowstonetest runs tests of HBase clients against Rowstone, in memory and on free ports.
//
//	var server *rowstonetest.Server
//
//	func TestMain(m *testing.M) {
//		server = rowstonetest.MustStart()
//		code := m.Run()
//		server.Close()
//		os.Exit(code)
//	}
//
//	func TestOrders(t *testing.T) {
//		server.DropTablesAfter(t)
//		client := gohbase.NewClient(server.ZooKeeper)
//		...
//	}
//
// The program rowstone must be on the path, or be named by the environment variable ROWSTONE_COMMAND.
package rowstonetest

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"testing"
	"time"

	"github.com/tsuna/gohbase"
	"github.com/tsuna/gohbase/hrpc"
)

var ready = regexp.MustCompile(`^ready: hbase://([\d.]+:\d+), ZooKeeper port (\d+)`)

// Server is a process `rowstone serve :memory:`.
type Server struct {
	// Address of HBase's RPC: host and port.
	Address string
	// ZooKeeper is the address for gohbase.NewClient and gohbase.NewAdminClient: host and port.
	ZooKeeper string

	command *exec.Cmd
}

// Start starts a server with more options of `rowstone serve`, if any, and returns when it answers.
func Start(options ...string) (*Server, error) {
	program := os.Getenv("ROWSTONE_COMMAND")
	if program == "" {
		program = "rowstone"
	}
	arguments := append([]string{"serve", ":memory:", "--port", "0", "--zk-port", "0"}, options...)
	command := exec.Command(program, arguments...)
	var log bytes.Buffer
	command.Stderr = &log
	output, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("rowstone serve: %w", err)
	}
	line, _ := bufio.NewReader(output).ReadString('\n')
	ports := ready.FindStringSubmatch(line)
	if ports == nil {
		_ = command.Process.Kill()
		_ = command.Wait()
		return nil, fmt.Errorf("rowstone serve did not start: %s%s", line, log.String())
	}
	return &Server{Address: ports[1], ZooKeeper: "127.0.0.1:" + ports[2], command: command}, nil
}

// MustStart is Start for TestMain: it panics on an error.
func MustStart(options ...string) *Server {
	server, err := Start(options...)
	if err != nil {
		panic(err)
	}
	return server
}

// ForTest starts a server for one test, and stops it when the test ends.
func ForTest(t testing.TB, options ...string) *Server {
	t.Helper()
	server, err := Start(options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	return server
}

// Close stops the server. Its data are gone.
func (s *Server) Close() {
	_ = s.command.Process.Kill()
	_ = s.command.Wait()
}

// DropTablesAfter removes all tables when the test ends, so that the next test finds an empty server.
func (s *Server) DropTablesAfter(t testing.TB) {
	t.Helper()
	t.Cleanup(func() {
		if err := s.DropTables(); err != nil {
			t.Error(err)
		}
	})
}

// DropTables removes all tables.
func (s *Server) DropTables() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	admin := gohbase.NewAdminClient(s.ZooKeeper)
	list, err := hrpc.NewListTableNames(ctx)
	if err != nil {
		return err
	}
	tables, err := admin.ListTableNames(list)
	if err != nil {
		return err
	}
	for _, table := range tables {
		name := table.GetQualifier()
		if space := string(table.GetNamespace()); space != "default" {
			name = []byte(space + ":" + string(name))
		}
		// A table that is disabled already is what is wanted: its deletion says whether it could be.
		_ = admin.DisableTable(hrpc.NewDisableTable(ctx, name))
		if err := admin.DeleteTable(hrpc.NewDeleteTable(ctx, name)); err != nil {
			return fmt.Errorf("delete table %s: %w", name, err)
		}
	}
	return nil
}
