'use client';
import { Plus, X } from 'lucide';
import { focusBeside } from '#app/_cockpit/focus/focus-beside.ts';
import { Button } from '#app/_ui/action/button.tsx';
import { IconButton } from '#app/_ui/action/icon-button.tsx';
import { Field } from '#app/_ui/form/field.tsx';
import { Input, Select, Textarea } from '#app/_ui/form/input.tsx';
import type { FieldDefinition } from '#lib/studio/templates/drawing/types.ts';
import type { DraftReference, FieldValue } from '../../draft/draft.ts';
import { sentPlaces } from '../../draft/list-items.ts';
import type { FieldsProps } from '../fields.tsx';

/** The template, its size and its fields; the refusal of a field is shown under it. */
export function RenderFields({ draft, data, change, problem, asked }: FieldsProps) {
  const template = data.templates.find((one) => one.id === draft.template) ?? data.templates[0];
  if (!template) return null;
  const values = draft.fields[template.id] ?? {};
  const set = (id: string, value: FieldValue) =>
    change((before) => ({
      fields: { ...before.fields, [template.id]: { ...before.fields[template.id], [id]: value } },
    }));
  const pictures = draft.references.filter((one) => one.role === 'fields' && one.ref !== null);
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Gabarit" hint={template.description}>
          <Select
            value={template.id}
            onChange={(event) => change({ template: event.currentTarget.value, size: '' })}
          >
            {data.templates.map((one) => (
              <option key={one.id} value={one.id}>
                {one.name}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Taille">
          <Select
            value={template.sizes.some((size) => size.id === draft.size) ? draft.size : template.sizes[0]?.id}
            onChange={(event) => change({ size: event.currentTarget.value })}
          >
            {template.sizes.map((size) => (
              <option key={size.id} value={size.id}>
                {size.label} · {size.width} × {size.height}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      {template.fields.map((field) =>
        field.kind === 'list' ? (
          <ListField
            key={field.id}
            field={field}
            items={Array.isArray(values[field.id]) ? (values[field.id] as Record<string, string>[]) : []}
            pictures={pictures}
            problem={problem}
            asked={asked}
            onChange={(items) => set(field.id, items)}
          />
        ) : (
          <OneField
            key={field.id}
            field={field}
            value={typeof values[field.id] === 'string' ? (values[field.id] as string) : ''}
            pictures={pictures}
            error={worthSaying(problem(field.id), values[field.id], asked)}
            onChange={(value) => set(field.id, value)}
          />
        ),
      )}
    </>
  );
}

/** The refusal to show: not that of an empty field before the send button was pressed, nor that a field just filled in is empty. */
function worthSaying(sentence: string | undefined, value: unknown, asked: boolean): string | undefined {
  const empty = value === undefined || value === '';
  if (empty) return asked ? sentence : undefined;
  return sentence?.endsWith(' est à remplir.') ? undefined : sentence;
}

function OneField({
  field,
  value,
  pictures,
  error,
  onChange,
}: {
  field: FieldDefinition;
  value: string;
  pictures: DraftReference[];
  error: string | undefined;
  onChange: (value: string) => void;
}) {
  const example = typeof field.example === 'string' ? field.example : undefined;
  const common = { value, ...(example ? { placeholder: example } : {}) };
  return (
    <Field
      label={field.label}
      required={field.required}
      optional={!field.required}
      {...(field.hint ? { hint: field.hint } : {})}
      {...(error ? { error } : {})}
    >
      {field.kind === 'longText' ? (
        <Textarea
          rows={3}
          counter
          {...(field.maxLength ? { maxLength: field.maxLength } : {})}
          {...common}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      ) : field.kind === 'image' ? (
        <Select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          <option value="">
            {pictures.length > 0
              ? 'Choisir parmi les références'
              : 'Ajoutez d’abord une image aux références'}
          </option>
          {value && !pictures.some((one) => one.ref === value) ? (
            <option value={value}>Image choisie</option>
          ) : null}
          {pictures.map((one) => (
            <option key={one.key} value={one.ref ?? ''}>
              {one.name}
            </option>
          ))}
        </Select>
      ) : (
        <Input
          {...common}
          {...(field.kind === 'colour' ? { placeholder: '#8a4b2a' } : {})}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

function ListField({
  field,
  items,
  pictures,
  problem,
  asked,
  onChange,
}: {
  field: FieldDefinition;
  items: Record<string, string>[];
  pictures: DraftReference[];
  problem: FieldsProps['problem'];
  asked: boolean;
  onChange: (items: Record<string, string>[]) => void;
}) {
  const least = field.minItems ?? (field.required ? 1 : 0);
  const shown: Record<string, string>[] =
    items.length >= least ? items : [...items, ...Array.from({ length: least - items.length }, () => ({}))];
  const isFull = shown.length >= (field.maxLength ?? 10);
  // A refusal names an item by its index among the items that were sent, without the empty ones.
  const places = sentPlaces(field, shown);
  const refused = asked || items.length > 0 ? problem(field.id) : undefined;
  return (
    <fieldset data-focus-home className="flex flex-col gap-3">
      <legend className="mb-2 font-medium text-sm">{field.label}</legend>
      {refused ? <p className="text-fail text-sm">{refused}</p> : null}
      {shown.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the items of a list have no identity beyond their position
        <div key={index} className="relative flex flex-col gap-3 rounded-md border border-line p-3 pr-11">
          {(field.item ?? []).map((part) => (
            <OneField
              key={part.id}
              field={part}
              value={item[part.id] ?? ''}
              pictures={pictures}
              error={worthSaying(
                problem(`${field.id}[${places.indexOf(index)}].${part.id}`),
                item[part.id],
                asked,
              )}
              onChange={(value) =>
                onChange(shown.map((one, at) => (at === index ? { ...one, [part.id]: value } : one)))
              }
            />
          ))}
          {shown.length > least ? (
            <IconButton
              ref={focusBeside}
              icon={X}
              label={`Retirer l’élément ${index + 1}`}
              onClick={() => onChange(shown.filter((_, at) => at !== index))}
              className="absolute! top-2 right-2"
            />
          ) : null}
        </div>
      ))}
      <div>
        <Button
          size="sm"
          icon={Plus}
          // Neither removed nor disabled: a member who has just added the last item would lose the focus.
          aria-disabled={isFull || undefined}
          onClick={() => !isFull && onChange([...shown, {}])}
        >
          Ajouter un élément
        </Button>
      </div>
    </fieldset>
  );
}
