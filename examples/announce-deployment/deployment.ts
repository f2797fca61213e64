// Stands for what you deploy, with whichever package of Pulumi. It is done when the service says that it is well.
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
    await mustBeWell(args);
    return { id: "webhook-senders", outs: args };
  },
  async update(_id, _olds, args) {
    await mustBeWell(args);
    return { outs: args };
  },
};

async function mustBeWell({ release, healthUrl }: DeploymentArgs): Promise<void> {
  const { status } = await fetch(healthUrl);
  if (status !== 200) throw new Error(`Release ${release} is not well: ${healthUrl} answers ${status}.`);
}
