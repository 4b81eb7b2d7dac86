import type { Problem } from '#lib/core/errors.ts';
import { nameFault } from '#lib/core/input/name-fault.ts';

/** Longest name of a Space or of a project, in UTF-16 code units. */
const MAX_NAME_LENGTH = 120;

/**
 * The problems of the name and the address of a Space or of a project, one per field; empty when both are good. A field that is absent, or an
 * address that is null, has none.
 */
export function nameAndSiteProblems({
  name,
  websiteUrl,
}: {
  name?: string | undefined;
  websiteUrl?: string | null | undefined;
}): Problem[] {
  const problems: Problem[] = [];
  const message = name === undefined ? null : nameFault(name, MAX_NAME_LENGTH);
  if (message) problems.push({ field: 'name', message });
  if (websiteUrl !== undefined && websiteUrl !== null && !isWebAddress(websiteUrl))
    problems.push({
      field: 'websiteUrl',
      message: 'Donnez une adresse complète, par exemple https://exemple.fr.',
    });
  return problems;
}

/** Whether a text is a complete http(s) address of reasonable length. */
const isWebAddress = (text: string) =>
  text.length <= 2000 && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
