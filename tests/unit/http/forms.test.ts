import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ServiceError } from '#lib/core/errors.ts';
import { validate } from '#lib/core/input/validate.ts';
import { typedValues } from '#lib/http/actions/action-state.ts';
import { formObject } from '#lib/http/requests/form-object.ts';
import { returnPath, signInPath } from '#lib/http/security/return-path.ts';

const form = (...pairs: [string, string][]) => {
  const data = new FormData();
  for (const [name, value] of pairs) data.append(name, value);
  return data;
};

describe('formObject', () => {
  const schema = z.object({
    name: z.string(),
    scopes: z.array(z.string()).default([]),
    isDefault: z.boolean().optional(),
    size: z.coerce.number().transform((value) => value * 2),
  });

  it('reads one ticked box as a list of one, none as an empty list, a lone box as true or false', () => {
    expect(
      formObject(schema, form(['name', 'a'], ['scopes', 'x'], ['isDefault', 'on'], ['size', '3'])),
    ).toEqual({
      name: 'a',
      scopes: ['x'],
      isDefault: true,
      size: '3',
    });
    expect(formObject(schema, form(['name', 'a']))).toEqual({ name: 'a', scopes: [], isDefault: false });
  });

  it('leaves out what the schema does not know, React’s own fields included', () => {
    expect(formObject(schema, form(['name', 'a'], ['$ACTION_ID_x', ''], ['role', 'FOUNDER']))).toEqual({
      name: 'a',
      scopes: [],
      isDefault: false,
    });
  });

  it('reads the line ends of a form (CRLF, by RFC 7578) as the line ends that were typed', () => {
    expect(
      formObject(schema, form(['name', 'a\r\n\r\nb\rc'], ['scopes', 'x\r\ny'], ['size', '3'])),
    ).toMatchObject({ name: 'a\n\nb\nc', scopes: ['x\ny'] });
  });

  it('gives back what was typed, never a code or a secret', () => {
    expect(typedValues(form(['name', 'a'], ['name', 'b'], ['code', '123456'], ['$ACTION_1', 'x']))).toEqual({
      name: ['a', 'b'],
    });
  });
});

describe('validate', () => {
  const problems = (schema: z.ZodType, value: unknown) => {
    try {
      validate(schema, value);
    } catch (error) {
      return (error as ServiceError).options.problems;
    }
    return [];
  };

  it('says the schema’s own sentence where it gives one, and a French one everywhere else', () => {
    const schema = z.object({ name: z.string().min(1, 'Donnez un nom.'), size: z.number(), mail: z.email() });
    expect(problems(schema, { name: '', size: 'x', mail: 'y' })).toEqual([
      { field: 'name', message: 'Donnez un nom.' },
      { field: 'size', message: 'Le type attendu est nombre.' },
      { field: 'mail', message: 'La forme n’est pas valable.' },
    ]);
  });
});

describe('returnPath', () => {
  it('keeps a path of ours with its query', () => {
    expect(returnPath('/espaces/spc_1?vue=tableau#haut')).toBe('/espaces/spc_1?vue=tableau#haut');
    expect(signInPath('/equipe?page=2')).toBe('/connexion?retour=%2Fequipe%3Fpage%3D2');
  });

  it('is read by a browser that has no `URL.parse`: Safari before 18', () => {
    const { parse } = URL;
    Reflect.deleteProperty(URL, 'parse');
    try {
      expect(returnPath('/journal?vue=table')).toBe('/journal?vue=table');
      expect(returnPath('//evil.example')).toBe('/espaces');
    } finally {
      Object.assign(URL, { parse });
    }
  });

  it.each([
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '/connexion?retour=/x',
    '/api/v1/spaces',
    '',
    null,
  ])('never leaves the cockpit: %j', (value) => {
    expect(returnPath(value)).toBe('/espaces');
  });
});
