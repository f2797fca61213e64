/** The generated SDK in Go, with the programs that use it. */
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { prepareLanguages } from "../../tools/test/languages";
import { expectSuccess, folderInRepository, repository } from "../engine/stack";

/** Audits and reads all alert channels. */
const ofAllChannels = `package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"pulumi-monitoring-service/sdk/go/monitoring"
)

func auditAll(ctx *pulumi.Context) error {
	all := true
	channels, err := monitoring.GetAlertChannels(ctx, &monitoring.GetAlertChannelsArgs{All: &all})
	if err != nil {
		return err
	}
	audit, err := monitoring.NewAlertChannelAudit(ctx, "all", &monitoring.AlertChannelAuditArgs{
		AllChannels: pulumi.Bool(true),
	})
	if err != nil {
		return err
	}
	ctx.Export("read", pulumi.Int(len(channels.AlertChannels)))
	ctx.Export("audited", audit.Counts.Channels())
	return nil
}
`;

it("compiles with the quick start, and with a program of all alert channels", async () => {
  const { go } = await prepareLanguages();
  // Two folders below the root, like the example, whose go.mod names the SDK by a relative path.
  const folder = folderInRepository();
  cpSync(join(repository, "examples", "go"), folder, { recursive: true });
  writeFileSync(join(folder, "all.go"), ofAllChannels);
  expectSuccess(await go(["vet", "-mod=readonly", "-trimpath", "./..."], { cwd: folder }));
});
