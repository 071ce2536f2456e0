// What gohbase asks a server for, step by step, and what must come back.
//
//	go run . HOST:ZK_PORT
package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sort"
	"strings"
	"time"

	"github.com/tsuna/gohbase"
	"github.com/tsuna/gohbase/filter"
	"github.com/tsuna/gohbase/hrpc"
)

const table = "session"

type values = map[string]map[string][]byte

type option = func(hrpc.Call) error

type session struct {
	admin  gohbase.AdminClient
	client gohbase.Client
	steps  int
}

func main() {
	slog.SetDefault(slog.New(slog.NewTextHandler(io.Discard, nil)))
	s := &session{admin: gohbase.NewAdminClient(os.Args[1]), client: gohbase.NewClient(os.Args[1])}
	s.tables()
	s.rows()
	s.deletes()
	s.atomics()
	s.batches()
	s.scans()
	s.filters()
	s.end()
	fmt.Printf("done: %d steps\n", s.steps)
}

func within() context.Context {
	ctx, _ := context.WithTimeout(context.Background(), 30*time.Second) //nolint:govet // the process ends soon
	return ctx
}

// made unwraps what a constructor of a request gives.
func made[T any](request T, err error) T {
	if err != nil {
		panic(err)
	}
	return request
}

func one(family, qualifier, value string) values {
	return values{family: {qualifier: []byte(value)}}
}

// step does one thing and compares what came of it.
func (s *session) step(name, expected string, work func() (string, error)) {
	found, err := work()
	if err != nil || found != expected {
		fmt.Fprintf(os.Stderr, "%s: expected %q, found %q, error %v\n", name, expected, found, err)
		os.Exit(1)
	}
	s.steps++
	fmt.Println("ok", name)
}

func (s *session) fails(name string, kind error, class string, work func() (string, error)) {
	found, err := work()
	if err == nil || !(kind != nil && errors.Is(err, kind) || class != "" && strings.Contains(err.Error(), class)) {
		fmt.Fprintf(os.Stderr, "%s: expected %v %s, found %q, error %v\n", name, kind, class, found, err)
		os.Exit(1)
	}
	s.steps++
	fmt.Println("ok", name)
}

func text(result *hrpc.Result, err error) (string, error) {
	if err != nil {
		return "", err
	}
	var found []string
	for _, cell := range result.Cells {
		found = append(found, string(cell.Value))
	}
	sort.Strings(found)
	return strings.Join(found, ","), nil
}

func (s *session) get(row string, options ...option) (string, error) {
	return text(s.client.Get(made(hrpc.NewGetStr(within(), table, row, options...))))
}

func (s *session) put(row string, cells values, options ...option) error {
	_, err := s.client.Put(made(hrpc.NewPutStr(within(), table, row, cells, options...)))
	return err
}

func (s *session) delete(row string, cells values, options ...option) error {
	_, err := s.client.Delete(made(hrpc.NewDelStr(within(), table, row, cells, options...)))
	return err
}

func (s *session) scan(start, stop string, options ...option) ([]*hrpc.Result, error) {
	scanner := s.client.Scan(made(hrpc.NewScanRangeStr(within(), table, start, stop, options...)))
	var rows []*hrpc.Result
	for {
		row, err := scanner.Next()
		if err == io.EOF {
			return rows, nil
		}
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
}

func (s *session) rowsOf(start, stop string, options ...option) (string, error) {
	rows, err := s.scan(start, stop, options...)
	var found []string
	for _, row := range rows {
		found = append(found, string(row.Cells[0].Row))
	}
	return strings.Join(found, " "), err
}

func (s *session) qualifiersOf(start, stop string, options ...option) (string, error) {
	rows, err := s.scan(start, stop, options...)
	var found []string
	for _, row := range rows {
		for _, cell := range row.Cells {
			found = append(found, string(cell.Qualifier))
		}
	}
	return strings.Join(found, " "), err
}

func (s *session) count(start, stop string, options ...option) (string, error) {
	rows, err := s.scan(start, stop, options...)
	return fmt.Sprint(len(rows)), err
}

func (s *session) tables() {
	families := map[string]map[string]string{"f": {"VERSIONS": "3"}, "g": nil}
	splits := hrpc.SplitKeys([][]byte{[]byte("h"), []byte("p")})
	s.step("create", "", func() (string, error) {
		return "", s.admin.CreateTable(hrpc.NewCreateTable(within(), []byte(table), families, splits))
	})
	s.fails("create again", nil, "TableExistsException", func() (string, error) {
		return "", s.admin.CreateTable(hrpc.NewCreateTable(within(), []byte(table), families, splits))
	})
	s.step("list", "session", func() (string, error) {
		names, err := s.admin.ListTableNames(made(hrpc.NewListTableNames(within(), hrpc.ListRegex("sess.*"))))
		var found []string
		for _, name := range names {
			found = append(found, string(name.GetQualifier()))
		}
		return strings.Join(found, " "), err
	})
	s.step("status", "true", func() (string, error) {
		status, err := s.admin.ClusterStatus()
		return fmt.Sprint(status.GetMaster().GetHostName() != ""), err
	})
	s.step("balancer off", "", func() (string, error) {
		_, err := s.admin.SetBalancer(made(hrpc.NewSetBalancer(within(), false)))
		return "", err
	})
	s.step("regions looked up before", "", func() (string, error) { return "", s.client.CacheRegions([]byte(table)) })
}

func (s *session) rows() {
	s.step("put", "1", func() (string, error) {
		if err := s.put("a", one("f", "q", "1")); err != nil {
			return "", err
		}
		return s.get("a")
	})
	s.step("get nothing", "", func() (string, error) { return s.get("nothing") })
	s.step("put two families", "2,3", func() (string, error) {
		if err := s.put("b", values{"f": {"q": []byte("2")}, "g": {"q": []byte("3")}}); err != nil {
			return "", err
		}
		return s.get("b")
	})
	s.step("get a family", "3", func() (string, error) {
		return s.get("b", hrpc.Families(map[string][]string{"g": nil}))
	})
	s.step("get a column", "2", func() (string, error) {
		return s.get("b", hrpc.Families(map[string][]string{"f": {"q"}}))
	})
	s.step("exists", "true", func() (string, error) {
		request := made(hrpc.NewGetStr(within(), table, "a"))
		request.ExistsOnly()
		result, err := s.client.Get(request)
		if err != nil {
			return "", err
		}
		return fmt.Sprint(result.Exists != nil && *result.Exists), nil
	})
	s.step("versions", "2,3,4", func() (string, error) {
		for version := uint64(1); version <= 4; version++ {
			if err := s.put("v", one("f", "q", fmt.Sprint(version)), hrpc.TimestampUint64(version)); err != nil {
				return "", err
			}
		}
		return s.get("v", hrpc.MaxVersions(10))
	})
	s.step("the newest version", "4", func() (string, error) { return s.get("v") })
	s.step("time range", "3", func() (string, error) { return s.get("v", hrpc.TimeRangeUint64(3, 4)) })
	s.step("a large value", "3000000", func() (string, error) {
		if err := s.put("large", values{"g": {"q": make([]byte, 3_000_000)}}); err != nil {
			return "", err
		}
		found, err := s.get("large")
		return fmt.Sprint(len(found)), err
	})
	s.step("without the log", "5", func() (string, error) {
		if err := s.put("unlogged", one("f", "q", "5"), hrpc.Durability(hrpc.SkipWal)); err != nil {
			return "", err
		}
		return s.get("unlogged")
	})
	s.fails("no such family", nil, "NoSuchColumnFamilyException", func() (string, error) {
		return "", s.put("a", one("nope", "q", "1"))
	})
	s.fails("no such table", gohbase.TableNotFound, "", func() (string, error) {
		return text(s.client.Get(made(hrpc.NewGetStr(within(), "missing", "a"))))
	})
}

func (s *session) deletes() {
	// What the fourth version hid is there again, until a flush.
	s.step("delete a version", "1,2,3", func() (string, error) {
		err := s.delete("v", values{"f": {"q": nil}}, hrpc.TimestampUint64(4), hrpc.DeleteOneVersion())
		if err != nil {
			return "", err
		}
		return s.get("v", hrpc.MaxVersions(10))
	})
	s.step("delete up to a timestamp", "3", func() (string, error) {
		if err := s.delete("v", values{"f": {"q": nil}}, hrpc.TimestampUint64(2)); err != nil {
			return "", err
		}
		return s.get("v", hrpc.MaxVersions(10))
	})
	s.step("delete a family", "3", func() (string, error) {
		if err := s.delete("b", values{"f": nil}); err != nil {
			return "", err
		}
		return s.get("b")
	})
	s.step("delete a row", "", func() (string, error) {
		if err := s.delete("b", nil); err != nil {
			return "", err
		}
		return s.get("b")
	})
}

func (s *session) increment(amount int64) (string, error) {
	sum, err := s.client.Increment(made(hrpc.NewIncStrSingle(within(), table, "n", "f", "n", amount)))
	return fmt.Sprint(sum), err
}

func (s *session) checkAndPut(value string, expected []byte) (string, error) {
	put := made(hrpc.NewPutStr(within(), table, "k", one("f", "q", value)))
	done, err := s.client.CheckAndPut(put, "f", "q", expected)
	return fmt.Sprint(done), err
}

func (s *session) atomics() {
	s.step("increment", "5", func() (string, error) { return s.increment(5) })
	s.step("increment again", "3", func() (string, error) { return s.increment(-2) })
	s.step("append", "ab", func() (string, error) {
		if _, err := s.client.Append(made(hrpc.NewAppStr(within(), table, "s", one("f", "s", "a")))); err != nil {
			return "", err
		}
		return text(s.client.Append(made(hrpc.NewAppStr(within(), table, "s", one("f", "s", "b")))))
	})
	s.step("check, absent", "true", func() (string, error) { return s.checkAndPut("5", nil) })
	s.step("check, there already", "false", func() (string, error) { return s.checkAndPut("6", nil) })
	s.step("check", "true", func() (string, error) { return s.checkAndPut("7", []byte("5")) })
	s.step("check, another value", "false", func() (string, error) { return s.checkAndPut("8", []byte("5")) })
	s.step("what is set", "7", func() (string, error) { return s.get("k") })
}

func (s *session) batches() {
	s.step("a batch", "1000", func() (string, error) {
		var calls []hrpc.Call
		for number := 0; number < 1000; number++ {
			cells := one("g", "q", fmt.Sprint(number))
			calls = append(calls, made(hrpc.NewPutStr(within(), table, fmt.Sprintf("m%04d", number), cells)))
		}
		if _, ok := s.client.SendBatch(within(), calls); !ok {
			return "", errors.New("not all were put")
		}
		return s.count("m", "n")
	})
	s.step("a batch of all kinds", "1 8", func() (string, error) {
		calls := []hrpc.Call{
			made(hrpc.NewGetStr(within(), table, "a")),
			made(hrpc.NewIncStrSingle(within(), table, "n", "f", "n", 5)),
			made(hrpc.NewDelStr(within(), table, "m0999", nil)),
		}
		results, ok := s.client.SendBatch(within(), calls)
		if !ok {
			return "", fmt.Errorf("%v %v %v", results[0].Error, results[1].Error, results[2].Error)
		}
		first, err := s.get("a")
		if err != nil {
			return "", err
		}
		sum, err := s.client.Get(made(hrpc.NewGetStr(within(), table, "n")))
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%s %d", first, binary.BigEndian.Uint64(sum.Cells[0].Value)), nil
	})
	s.step("many at once", "200", func() (string, error) {
		answers := make(chan error, 200)
		for number := 0; number < cap(answers); number++ {
			go func() {
				_, err := s.get(fmt.Sprintf("m%04d", number))
				answers <- err
			}()
		}
		for number := 0; number < cap(answers); number++ {
			if err := <-answers; err != nil {
				return "", err
			}
		}
		return fmt.Sprint(cap(answers)), nil
	})
}

func (s *session) scans() {
	for _, row := range strings.Split("c d i j q r z", " ") {
		if err := s.put(row, one("f", "q", row)); err != nil {
			panic(err)
		}
	}
	s.step("scan", "c d i", func() (string, error) { return s.rowsOf("c", "j") })
	s.step("scan in small steps", "c d i", func() (string, error) { return s.rowsOf("c", "j", hrpc.NumberOfRows(1)) })
	s.step("scan in little bytes", "999", func() (string, error) { return s.count("m", "n", hrpc.MaxResultSize(200)) })
	s.step("scan backward", "j i d", func() (string, error) { return s.rowsOf("j", "c", hrpc.Reversed()) })
	s.step("scan a family", "0", func() (string, error) {
		return s.count("m", "n", hrpc.Families(map[string][]string{"f": nil}))
	})
	s.step("scan with pieces of rows", "5", func() (string, error) {
		columns := map[string][]byte{}
		for number := 0; number < 5; number++ {
			columns[fmt.Sprintf("c%d", number)] = []byte("x")
		}
		if err := s.put("wide", values{"f": columns}); err != nil {
			return "", err
		}
		found, err := s.qualifiersOf("wide", "widf", hrpc.AllowPartialResults(), hrpc.MaxResultSize(1))
		return fmt.Sprint(len(strings.Fields(found))), err
	})
	s.step("scan that is left early", "c", func() (string, error) {
		scanner := s.client.Scan(made(hrpc.NewScanRangeStr(within(), table, "c", "j", hrpc.NumberOfRows(1))))
		row, err := scanner.Next()
		if err != nil {
			return "", err
		}
		return string(row.Cells[0].Row), scanner.Close()
	})
	s.step("scan a time range", "v", func() (string, error) {
		return s.rowsOf("", "", hrpc.MaxVersions(5), hrpc.TimeRangeUint64(0, 100))
	})
}

func (s *session) filters() {
	is := func(op filter.CompareType, value string) *filter.CompareFilter {
		return filter.NewCompareFilter(op, filter.NewBinaryComparator(filter.NewByteArrayComparable([]byte(value))))
	}
	s.step("prefix", "10", func() (string, error) {
		return s.count("", "", hrpc.Filters(filter.NewPrefixFilter([]byte("m004"))))
	})
	s.step("page", "5", func() (string, error) { return s.count("m", "n", hrpc.Filters(filter.NewPageFilter(5))) })
	s.step("value", "m0042", func() (string, error) {
		return s.rowsOf("m", "n", hrpc.Filters(filter.NewValueFilter(is(filter.Equal, "42"))))
	})
	s.step("row", "m0000 m0001", func() (string, error) {
		return s.rowsOf("m", "n", hrpc.Filters(filter.NewRowFilter(is(filter.Less, "m0002"))))
	})
	s.step("qualifier", "c3 c4", func() (string, error) {
		return s.qualifiersOf("wide", "widf", hrpc.Filters(filter.NewQualifierFilter(is(filter.GreaterOrEqual, "c3"))))
	})
	s.step("column range", "c1 c2", func() (string, error) {
		columns := filter.NewColumnRangeFilter([]byte("c1"), []byte("c3"), true, false)
		return s.qualifiersOf("wide", "widf", hrpc.Filters(columns))
	})
	s.step("list", "m0001", func() (string, error) {
		both := filter.NewList(filter.MustPassAll, filter.NewRowFilter(is(filter.Less, "m0002")),
			filter.NewValueFilter(is(filter.Greater, "0")))
		return s.rowsOf("m", "n", hrpc.Filters(both))
	})
}

func (s *session) end() {
	s.step("disable", "", func() (string, error) {
		return "", s.admin.DisableTable(hrpc.NewDisableTable(within(), []byte(table)))
	})
	s.step("enable", "1", func() (string, error) {
		if err := s.admin.EnableTable(hrpc.NewEnableTable(within(), []byte(table))); err != nil {
			return "", err
		}
		return s.get("a")
	})
	s.step("delete the table", "", func() (string, error) {
		if err := s.admin.DisableTable(hrpc.NewDisableTable(within(), []byte(table))); err != nil {
			return "", err
		}
		return "", s.admin.DeleteTable(hrpc.NewDeleteTable(within(), []byte(table)))
	})
	s.client.Close()
}
