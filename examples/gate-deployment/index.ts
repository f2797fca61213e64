// Deploys nothing while a major incident is open on a service that the deployment affects.
import * as pulumi from "@pulumi/pulumi";
import { OpenIncidentGate } from "pulumi-monitoring-service";

const config = new pulumi.Config();

/** Placeholder for your deployment, with any Pulumi package. */
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

const gate = new OpenIncidentGate("no-major-incident", {
  atLeast: "MAJOR",
  services: config.requireObject<string[]>("services"),
});

// Resources of this package wait for the gate automatically. Other resources need `dependsOn`.
const deployment = new Deployment("shop", { release: config.require("release") }, { dependsOn: gate });

export const deployed = deployment.id;
