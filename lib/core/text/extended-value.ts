const percent = (sign: string) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;

/** A text as the value of an extended header parameter such as `filename*` (RFC 8187). The text must be well formed. */
export const extendedValue = (text: string) =>
  `UTF-8''${encodeURIComponent(text).replace(/['()*]/g, percent)}`;
