// An S3-compatible server in memory with one bucket, for the tests of remote backends. Prints its address.
package main

import (
	"fmt"
	"log"
	"log/slog"
	"net"
	"net/http"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

func main() {
	backend := s3mem.New()
	if err := backend.CreateBucket("state"); err != nil {
		log.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(listener.Addr())
	slog.SetLogLoggerLevel(slog.LevelError)
	log.Fatal(http.Serve(listener, gofakes3.New(backend).Server()))
}
