/** Starts HTTPS services on loopback. Their certificate isn't trusted unless a test calls `trustTestCertificates`. */
import { createServer, type ServerOptions } from "node:https";
import type { Server, Socket } from "node:net";
import tls from "node:tls";
import { type Respond, recording, listen, type Received, type Service } from "../services";

/** A certificate for the name localhost that is valid until the year 2120. Only these tests use it. */
const certificateOfName = `-----BEGIN CERTIFICATE-----
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

/** A certificate for the addresses 127.0.0.1 and ::1. */
const certificateOfAddresses = `-----BEGIN CERTIFICATE-----
MIIBbTCCARSgAwIBAgIBAjAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlhZGRyZXNz
ZXMwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
CWFkZHJlc3NlczBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABEwrHvGw07gyoNmp
pWxLP6aBV+wKp+w+qFJNU79hueuPWIpCbxd/35dy8pPX3fwGOAc2g/K8o6NUJhOd
AixQkpejVTBTMCEGA1UdEQQaMBiHBH8AAAGHEAAAAAAAAAAAAAAAAAAAAAEwDwYD
VR0TAQH/BAUwAwEB/zAdBgNVHQ4EFgQU3CGvJUwRIZcTRBbJFVKIDNT6Yw0wCgYI
KoZIzj0EAwIDRwAwRAIgMBK/gUwaDqKmwsnEb5GKFWgQKew9KC2ZeygmPclZn84C
IBzIwgTmRvUcPbpq97VdCRBedgyxYUw+yY72BSDuknKB
-----END CERTIFICATE-----
`;

/** A certificate for the name localhost that was valid in January 2020 only. */
const expiredCertificate = `-----BEGIN CERTIFICATE-----
MIIBXzCCAQWgAwIBAgIBAzAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
c3QwHhcNMjAwMTAxMDAwMDAwWhcNMjAwMjAxMDAwMDAwWjAUMRIwEAYDVQQDDAls
b2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARMKx7xsNO4MqDZqaVs
Sz+mgVfsCqfsPqhSTVO/Ybnrj1iKQm8Xf9+XcvKT1938BjgHNoPyvKOjVCYTnQIs
UJKXo0gwRjAUBgNVHREEDTALgglsb2NhbGhvc3QwDwYDVR0TAQH/BAUwAwEB/zAd
BgNVHQ4EFgQU3CGvJUwRIZcTRBbJFVKIDNT6Yw0wCgYIKoZIzj0EAwIDSAAwRQIh
AOuoB4ad0Du76hWDRg9LLwIoHss634W1O5/83dER08isAiA08c+TZG2RbZ5U2dK2
VFAuPxItHeo7w7ztNl09Ng/GnQ==
-----END CERTIFICATE-----
`;
const privateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgGQx1JWHJVsVoYfwc
puenEyX06+tgCKGWzlRxBDSzVHWhRANCAARMKx7xsNO4MqDZqaVsSz+mgVfsCqfs
PqhSTVO/Ybnrj1iKQm8Xf9+XcvKT1938BjgHNoPyvKOjVCYTnQIsUJKX
-----END PRIVATE KEY-----
`;

/** The hosts of services, as they appear in a URL. */
export type Host = "localhost" | "127.0.0.1" | "[::1]";

function getCertificate(host: Host) {
  return { key: privateKey, cert: host === "localhost" ? certificateOfName : certificateOfAddresses };
}

/** Options of a service whose certificate has expired. */
export const expired: ServerOptions = { cert: expiredCertificate };

/** Starts an HTTPS service on 127.0.0.1. Its URL contains the host of its certificate, so ::1 is only reachable through a proxy. */
export async function serveTls(
  respond: Respond,
  host: Host = "localhost",
  options: ServerOptions = {},
): Promise<Service> {
  const requests: Received[] = [];
  const server = createServer({ ...getCertificate(host), ...options }, recording(requests, respond));
  server.on("tlsClientError", () => undefined);
  const { port, connections } = await listen(server);
  return { url: `https://${host}:${port}`, port, connections, requests };
}

/** Returns a TLS server whose certificate contains this host. */
export function tlsServer(connected: (socket: Socket) => void, host: Host = "localhost"): Server {
  return tls.createServer(getCertificate(host), connected);
}

let undo: (() => void) | undefined;

afterEach(() => {
  undo?.();
  undo = undefined;
});

/** Makes this process trust the certificates until the test ends, as if NODE_EXTRA_CA_CERTS had been set when it started. */
export function trustTestCertificates(): void {
  const create = tls.createSecureContext;
  const ca = [certificateOfName, certificateOfAddresses, expiredCertificate];
  const trusting = jest
    .spyOn(tls, "createSecureContext")
    .mockImplementation((options) => create({ ...options, ca }));
  undo = () => trusting.mockRestore();
}
