/** Certificates are checked even with NODE_TLS_REJECT_UNAUTHORIZED=0. */
export const checkedTls = { rejectUnauthorized: true };
