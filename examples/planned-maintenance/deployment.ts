// Placeholder for your deployment, with any Pulumi package. It completes when the health check of the release succeeds.
import * as pulumi from "@pulumi/pulumi";

interface DeploymentArgs {
  release: string;
  healthUrl: string;
}

export class Deployment extends pulumi.dynamic.Resource {
  constructor(name: string, args: DeploymentArgs, options?: pulumi.CustomResourceOptions) {
    super(provider, name, args, options);
  }
}

const provider: pulumi.dynamic.ResourceProvider<DeploymentArgs> = {
  async create(args) {
    await assertHealthy(args);
    return { id: "shop", outs: args };
  },
  async update(_id, _olds, args) {
    await assertHealthy(args);
    return { outs: args };
  },
};

async function assertHealthy({ release, healthUrl }: DeploymentArgs): Promise<void> {
  const { status } = await fetch(healthUrl);
  if (status !== 200) throw new Error(`Release ${release} is unhealthy: ${healthUrl} returned ${status}.`);
}
