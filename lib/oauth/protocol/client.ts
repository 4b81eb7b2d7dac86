/** A client as the authorization server needs it, however it came to be known. */
export type Client = {
  id: string;
  name: string;
  redirectUris: string[];
  uri: string | null;
  createdAt: Date;
  /** As `provenHostOf` gives it. */
  provenHost: string | null;
};

/** Whether a `client_id` is the address of a metadata document. */
export function isDocumentAddress(clientId: string): boolean {
  return /^https:\/\//i.test(clientId);
}

/** The host that answered for a client's metadata, the only thing about it that is proved; null when it registered itself. */
export function provenHostOf(clientId: string): string | null {
  return isDocumentAddress(clientId) ? new URL(clientId).host : null;
}

type Row = { id: string; name: string; redirectUris: string[]; uri: string | null; createdAt: Date };

/** A row as a client. */
export function viewClient(row: Row): Client {
  const { id, name, redirectUris, uri, createdAt } = row;
  return {
    id,
    name,
    redirectUris,
    uri,
    createdAt,
    provenHost: provenHostOf(id),
  };
}
