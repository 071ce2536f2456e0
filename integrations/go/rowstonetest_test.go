// Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in compliance with
// the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
//
// Unless required by applicable law or agreed to in writing, software distributed under the License is distributed on
// an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the License for the
// specific language governing permissions and limitations under the License.

package rowstonetest

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/tsuna/gohbase"
	"github.com/tsuna/gohbase/hrpc"
)

var server *Server

func TestMain(m *testing.M) {
	server = MustStart()
	code := m.Run()
	server.Close()
	os.Exit(code)
}

func within(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// storeOrder creates the table, which fails if it exists, puts a row and reads it.
func storeOrder(t *testing.T, zooKeeper string) {
	ctx := within(t)
	families := map[string]map[string]string{"o": nil}
	admin := gohbase.NewAdminClient(zooKeeper)
	if err := admin.CreateTable(hrpc.NewCreateTable(ctx, []byte("orders"), families)); err != nil {
		t.Fatal(err)
	}
	client := gohbase.NewClient(zooKeeper)
	defer client.Close()
	values := map[string]map[string][]byte{"o": {"item": []byte("lamp")}}
	put, err := hrpc.NewPutStr(ctx, "orders", "1001", values)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Put(put); err != nil {
		t.Fatal(err)
	}
	get, err := hrpc.NewGetStr(ctx, "orders", "1001")
	if err != nil {
		t.Fatal(err)
	}
	result, err := client.Get(get)
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Cells) != 1 || string(result.Cells[0].Value) != "lamp" {
		t.Fatalf("read %v", result.Cells)
	}
}

func TestFirst(t *testing.T) {
	server.DropTablesAfter(t)
	storeOrder(t, server.ZooKeeper)
}

func TestTablesOfTheTestBeforeAreGone(t *testing.T) {
	server.DropTablesAfter(t)
	storeOrder(t, server.ZooKeeper)
}

func TestAServerOfItsOwn(t *testing.T) {
	own := ForTest(t, "--set", "hbase.column.max.version=3")
	if own.ZooKeeper == server.ZooKeeper {
		t.Fatal("it is the shared server")
	}
	storeOrder(t, own.ZooKeeper)
}

func TestAnErrorSaysWhy(t *testing.T) {
	if _, err := Start("--no-such-option"); err == nil {
		t.Fatal("a server with an unknown option started")
	}
}
