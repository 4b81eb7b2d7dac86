/** A client as the authorization server needs it, however it came to be known. */
export type Client = {
  id: string;
  name: string;
  redirectUris: string[];
  uri: string | null;
  createdAt: Date;
  /** Host of its metadata document, the only thing about a client that is proved. Null when it registered itself. */
  provenHost: string | null;
};

/** Whether a `client_id` is the address of a metadata document. */
export function isDocumentAddress(clientId: string): boolean {
  return /^https:\/\//i.test(clientId);
}

type Row = { id: string; name: string; redirectUris: string[]; uri: string | null; createdAt: Date };

/** A client as pages show it; `provenHost` is the host that answered for its metadata, null for a registered one. */
export function viewClient(row: Row): Client {
  const { id, name, redirectUris, uri, createdAt } = row;
  return {
    id,
    name,
    redirectUris,
    uri,
    createdAt,
    provenHost: isDocumentAddress(id) ? new URL(id).host : null,
  };
}
