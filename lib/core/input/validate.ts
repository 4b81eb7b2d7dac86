import type { z } from 'zod';
import { type ErrorCode, type Problem, ServiceError } from '#lib/core/errors.ts';
import { plural } from '#lib/core/text/plural.ts';
import { unstorableText } from './storable-text.ts';

const numbers = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 6 });
/** A bound as French writes it: `20 000`, `0,5`. */
const said = (bound: number | bigint) => numbers.format(bound);

const NOT_VALID = 'La valeur n’est pas valable.';

/** The French sentence for an issue; a sentence given in the schema itself wins over it. */
function describe(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'Ce champ est obligatoire.'
        : issue.expected === 'int'
          ? 'Il faut un nombre entier.'
          : `Le type attendu est ${FRENCH_TYPES[issue.expected] ?? issue.expected}.`;
    case 'too_small':
      if (issue.origin === 'array') return `Choisissez-en au moins ${said(issue.minimum)}.`;
      return issue.origin === 'string'
        ? `Il faut au moins ${said(issue.minimum)} ${plural(Number(issue.minimum), 'caractère')}.`
        : `La valeur doit être d’au moins ${said(issue.minimum)}.`;
    case 'too_big':
      if (issue.origin === 'array') return `Choisissez-en au plus ${said(issue.maximum)}.`;
      return issue.origin === 'string'
        ? `Il faut au plus ${said(issue.maximum)} ${plural(Number(issue.maximum), 'caractère')}.`
        : `La valeur doit être d’au plus ${said(issue.maximum)}.`;
    case 'invalid_value':
      return `La valeur doit être parmi ${issue.values.map(String).join(', ')}.`;
    case 'unrecognized_keys':
      return 'Ce champ est inconnu.';
    case 'invalid_union':
      // Of a choice that one field makes (`kind`): what it may be.
      return Array.isArray(issue.options) && issue.options.length > 0
        ? `La valeur doit être parmi ${issue.options.map(String).join(', ')}.`
        : NOT_VALID;
    case 'invalid_format':
      return 'La forme n’est pas valable.';
    default:
      return NOT_VALID;
  }
}

/** Kinds of values in French, by the name that a schema gives them. */
export const FRENCH_TYPES: Readonly<Record<string, string>> = {
  string: 'texte',
  number: 'nombre',
  boolean: 'booléen',
  object: 'objet',
  record: 'objet',
  array: 'liste',
};

/** Every fault of a parse, one per field, in French. */
function problemsOf(error: z.ZodError): Problem[] {
  return error.issues.flatMap((issue) => {
    const path = issue.path.join('.');
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({ field: path ? `${path}.${key}` : key, message: issue.message }));
    return [{ field: path || 'corps', message: issue.message }];
  });
}

/**
 * Parses outside input, whose texts must be storable (`storable-text.ts`). A schema issue may carry its own error code in `params.code` (e.g. `pillar_invalid`);
 * everything else becomes `code`. One problem per field in any case.
 */
export function validate<S extends z.ZodType>(
  schema: S,
  value: unknown,
  code: ErrorCode = 'invalid_request',
): z.output<S> {
  const unstorable = unstorableText(value);
  if (unstorable) throw refusal(code, [unstorable]);
  const parsed = schema.safeParse(value, { reportInput: true, error: describe });
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) {
    const own =
      issue.code === 'custom' ? (issue.params as { code?: ErrorCode } | undefined)?.code : undefined;
    if (!own) continue;
    const first = { field: issue.path.join('.'), message: issue.message };
    const others = problemsOf(parsed.error).filter(({ message }) => message !== first.message);
    throw new ServiceError(own, { problems: [first, ...others] });
  }
  throw refusal(code, problemsOf(parsed.error));
}

function refusal(code: ErrorCode, problems: Problem[]): ServiceError {
  const [first] = problems;
  return new ServiceError(code, { message: first && `${first.field}\u00a0: ${first.message}`, problems });
}
