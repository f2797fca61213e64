/** Services of HTTPS on loopback, whose certificate nobody trusts unless a test says so. */
import { createServer } from "node:https";
import type { Server, Socket } from "node:net";
import tls from "node:tls";
import { type Answer, answering, listen, type Received, type Service } from "./services";

/** Made for these tests alone: for the name localhost, until the year 2120. */
const certificate = `-----BEGIN CERTIFICATE-----
MIIBYjCCAQegAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
CWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABEwrHvGw07gyoNmp
pWxLP6aBV+wKp+w+qFJNU79hueuPWIpCbxd/35dy8pPX3fwGOAc2g/K8o6NUJhOd
AixQkpejSDBGMBQGA1UdEQQNMAuCCWxvY2FsaG9zdDAPBgNVHRMBAf8EBTADAQH/
MB0GA1UdDgQWBBTcIa8lTBEhlxNEFskVUogM1PpjDTAKBggqhkjOPQQDAgNJADBG
AiEA8W4nqbAKp6rIOEQbVtIuWA2Ax6lBcINzBp/IfAMzVLUCIQDn093GzZgBZruy
AouVneaXlSW3BlabYyG+vymJPxz/qQ==
-----END CERTIFICATE-----
`;
const privateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgGQx1JWHJVsVoYfwc
puenEyX06+tgCKGWzlRxBDSzVHWhRANCAARMKx7xsNO4MqDZqaVsSz+mgVfsCqfs
PqhSTVO/Ybnrj1iKQm8Xf9+XcvKT1938BjgHNoPyvKOjVCYTnQIsUJKX
-----END PRIVATE KEY-----
`;

/** A service of HTTPS that answers what it is told to. Its URL says localhost, as its certificate does. */
export async function serveTls(answer: Answer): Promise<Service> {
  const requests: Received[] = [];
  const server = createServer({ key: privateKey, cert: certificate }, answering(requests, answer));
  server.on("tlsClientError", () => undefined);
  const { port, connections } = await listen(server);
  return { url: `https://localhost:${port}`, port, connections, requests };
}

/** A server that does with each connection what it is told to, once TLS is spoken over it. */
export function tlsServer(connected: (socket: Socket) => void): Server {
  return tls.createServer({ key: privateKey, cert: certificate }, connected);
}

let undo: (() => void) | undefined;

afterEach(() => {
  undo?.();
  undo = undefined;
});

/** Until the test ends this process trusts the certificate, as it would by NODE_EXTRA_CA_CERTS set at its start. */
export function trustTestCertificate(): void {
  const create = tls.createSecureContext;
  const trusting = jest
    .spyOn(tls, "createSecureContext")
    .mockImplementation((options) => create({ ...options, ca: certificate }));
  undo = () => trusting.mockRestore();
}
