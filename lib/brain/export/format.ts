/** Front-matter key, with its version, of a file that the export wrote: its title and body are then taken to the byte. */
export const EXPORT_MARK = 'atelier';
export const EXPORT_VERSION = 1;

/** `format` and `version` of the JSON export. */
export const JSON_FORMAT = 'atelier.space';
export const JSON_VERSION = 1;

/** File of the Markdown archive that holds the Space's own fields. */
export const MANIFEST_FILE = 'espace.json';
