// The floor of a native provider plugin: it keeps of a resource the fields that an IncidentUpdate has, and does nothing. For a resource of
// the type noop:index:Sent, it also sends the two requests of this package.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"

	rpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/structpb"
)

type noop struct {
	rpc.UnimplementedResourceProviderServer
}

func (noop) GetPluginInfo(context.Context, *emptypb.Empty) (*rpc.PluginInfo, error) {
	return &rpc.PluginInfo{Version: "0.0.1"}, nil
}

func (noop) Configure(context.Context, *rpc.ConfigureRequest) (*rpc.ConfigureResponse, error) {
	return &rpc.ConfigureResponse{AcceptSecrets: true}, nil
}

func (noop) Check(_ context.Context, asked *rpc.CheckRequest) (*rpc.CheckResponse, error) {
	inputs := with(asked.News, map[string]any{
		"notifySubscribers": false,
	})
	return &rpc.CheckResponse{Inputs: inputs}, nil
}

func (noop) Diff(context.Context, *rpc.DiffRequest) (*rpc.DiffResponse, error) {
	return &rpc.DiffResponse{Changes: rpc.DiffResponse_DIFF_NONE}, nil
}

func (noop) Create(_ context.Context, asked *rpc.CreateRequest) (*rpc.CreateResponse, error) {
	const id, moment = "00000000-0000-4000-8000-000000000000", "2026-01-31T09:30:00.000Z"
	declared := asked.Properties.AsMap()
	if strings.Contains(asked.Urn, "::noop:index:Sent::") {
		incident := fmt.Sprint("/v1/status-pages/incidents/", declared["incidentId"])
		update, err := json.Marshal(map[string]any{
			"status":            declared["status"],
			"description":       declared["description"],
			"notifySubscribers": false,
		})
		if err != nil {
			return nil, err
		}
		if err := send("GET", incident, ""); err != nil {
			return nil, err
		}
		if err := send("POST", incident+"/incident-updates", string(update)); err != nil {
			return nil, err
		}
	}
	outputs := with(asked.Properties, map[string]any{
		"incidentUpdateId": id,
		"createdAt":        moment,
		"published": map[string]any{
			"status":                   declared["status"],
			"description":              declared["description"],
			"publicIncidentUpdateDate": moment,
			"notifySubscribers":        false,
		},
		"missing": false,
		"origin":  map[string]any{"host": "127.0.0.1:40100", "accountId": id},
	})
	return &rpc.CreateResponse{Id: fmt.Sprint(declared["incidentId"], "/", id), Properties: outputs}, nil
}

func send(method string, path string, body string) error {
	request, err := http.NewRequest(method, os.Getenv("MONITORING_BASE_URL")+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("MONITORING_API_KEY"))
	request.Header.Set("X-Service-Account", os.Getenv("MONITORING_ACCOUNT_ID"))
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	var content map[string]any
	if err := json.NewDecoder(response.Body).Decode(&content); err != nil {
		return err
	}
	if response.StatusCode >= 300 {
		return fmt.Errorf("HTTP %d: %v", response.StatusCode, content)
	}
	return nil
}

func with(given *structpb.Struct, more map[string]any) *structpb.Struct {
	fields, err := structpb.NewStruct(more)
	if err != nil {
		panic(err)
	}
	for name, value := range given.GetFields() {
		fields.Fields[name] = value
	}
	return fields
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	server := grpc.NewServer()
	rpc.RegisterResourceProviderServer(server, noop{})
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	if err := server.Serve(listener); err != nil {
		panic(err)
	}
}
