// Deploys nothing while a grave incident is open on a service that the deployment touches.
import * as pulumi from "@pulumi/pulumi";
import { OpenIncidentGate } from "pulumi-monitoring-service";

const config = new pulumi.Config();

/** Stands for what you deploy, with whichever package of Pulumi. */
class Deployment extends pulumi.dynamic.Resource {
  constructor(name: string, args: Release, options: pulumi.CustomResourceOptions) {
    super(provider, name, args, options);
  }
}

interface Release {
  release: string;
}

const provider: pulumi.dynamic.ResourceProvider<Release> = {
  create: (release) => Promise.resolve({ id: "shop", outs: release }),
  update: (_id, _old, release) => Promise.resolve({ outs: release }),
};

const gate = new OpenIncidentGate("no-grave-incident", {
  atLeast: "MAJOR",
  services: config.requireObject<string[]>("services"),
});

// What this package makes waits for the gate by itself. All else says so.
const deployment = new Deployment("shop", { release: config.require("release") }, { dependsOn: gate });

export const deployed = deployment.id;
