/** Where a bucket is and who may use it. */
export type S3Options = {
  /** The store's address without the bucket; null: AWS. */
  endpoint: string | null;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** The bucket in the path of an address, else in its host. */
  pathStyle: boolean;
  /** The store knows `If-None-Match` on a write: what is signed for a sender writes once. */
  conditionalWrites: boolean;
};

/** The configuration's words for it; `S3_BUCKET` decides. */
export type S3Variables = {
  S3_BUCKET?: string | undefined;
  S3_ENDPOINT?: string | undefined;
  S3_REGION?: string | undefined;
  S3_ACCESS_KEY_ID?: string | undefined;
  S3_SECRET_ACCESS_KEY?: string | undefined;
  S3_PATH_STYLE?: string | undefined;
  S3_CONDITIONAL_WRITES?: string | undefined;
};

/** The bucket that is configured, or null. A store of one's own is asked by path unless it is said otherwise: few resolve a host per bucket. */
export function s3Options(source: S3Variables): S3Options | null {
  const text = (name: keyof S3Variables) => source[name]?.trim() || null;
  const bucket = text('S3_BUCKET');
  if (!bucket) return null;
  const endpoint = text('S3_ENDPOINT')?.replace(/\/+$/, '') ?? null;
  const style = text('S3_PATH_STYLE');
  return {
    endpoint,
    bucket,
    region: text('S3_REGION') ?? 'us-east-1',
    accessKeyId: text('S3_ACCESS_KEY_ID') ?? '',
    secretAccessKey: text('S3_SECRET_ACCESS_KEY') ?? '',
    pathStyle: style === null ? endpoint !== null : style === '1',
    conditionalWrites: text('S3_CONDITIONAL_WRITES') !== '0',
  };
}

/** What every address of the bucket's files begins with, with its last slash. */
export function bucketAddress(
  options: Pick<S3Options, 'endpoint' | 'region' | 'bucket' | 'pathStyle'>,
): string {
  const endpoint = options.endpoint ?? `https://s3.${options.region}.amazonaws.com`;
  if (options.pathStyle) return `${endpoint}/${options.bucket}/`;
  const url = new URL(endpoint);
  return `${url.protocol}//${options.bucket}.${url.host}/`;
}
