/** HTTPS services on loopback. Their certificate is not trusted unless a test says so. */
import { createServer } from "node:https";
import type { Server, Socket } from "node:net";
import tls from "node:tls";
import { type Respond, recording, listen, type Received, type Service } from "../services";

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

/** Starts an HTTPS service. Its URL has the host localhost, as its certificate does. */
export async function serveTls(respond: Respond): Promise<Service> {
  const requests: Received[] = [];
  const server = createServer({ key: privateKey, cert: certificate }, recording(requests, respond));
  server.on("tlsClientError", () => undefined);
  const { port, connections } = await listen(server);
  return { url: `https://localhost:${port}`, port, connections, requests };
}

/** A TLS server. */
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
