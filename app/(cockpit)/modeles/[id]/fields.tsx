'use client';
import { Plus, Trash2 } from 'lucide';
import { type ComponentProps, useId } from 'react';
import { focusBeside } from '#app/_cockpit/focus/focus-beside.ts';
import { Button } from '#app/_ui/action/button.tsx';
import { IconButton } from '#app/_ui/action/icon-button.tsx';
import { Field } from '#app/_ui/form/field.tsx';
import { Input, Textarea } from '#app/_ui/form/input.tsx';
import { count, number } from '#app/_ui/format.ts';
import type { FieldDefinition } from '#lib/studio/templates/drawing/types.ts';
import type { TemplateProblem } from '#lib/studio/templates/preview/check-template.ts';
import { MarkedProblems } from './marked-problems.tsx';
import { PhotoField } from './photo-field.tsx';

type Item = Record<string, string>;
export type Values = Record<string, string | Item[]>;

type FieldsProps = {
  definitions: readonly FieldDefinition[];
  values: Values;
  /** Images chosen for the preview alone, as `data:` addresses. */
  photos: Record<string, string>;
  problems: TemplateProblem[];
  onChange: (values: Values) => void;
  onPhoto: (id: string, data: string | null) => void;
};

/** The form fields of a template, with the problems of each. */
export function TemplateFields({ definitions, values, photos, problems, onChange, onPhoto }: FieldsProps) {
  const set = (id: string, value: string | Item[]) => onChange({ ...values, [id]: value });
  return (
    <div className="space-y-5">
      {definitions.map((field) => {
        const value = values[field.id];
        if (field.kind === 'image')
          return (
            <PhotoField
              key={field.id}
              field={field}
              photo={photos[field.id]}
              onPhoto={(data) => onPhoto(field.id, data)}
            />
          );
        if (field.kind === 'list')
          return (
            <ListField
              key={field.id}
              field={field}
              items={Array.isArray(value) ? value : []}
              problems={problems}
              onChange={(items) => set(field.id, items)}
            />
          );
        return (
          <TextField
            key={field.id}
            field={field}
            path={field.id}
            value={typeof value === 'string' ? value : ''}
            problems={problems}
            onChange={(text) => set(field.id, text)}
          />
        );
      })}
    </div>
  );
}

type TextFieldProps = {
  field: FieldDefinition;
  path: string;
  value: string;
  problems: TemplateProblem[];
  onChange: (value: string) => void;
};

function TextField({ field, path, value, problems, onChange }: TextFieldProps) {
  const id = useId();
  const own = problems.filter((problem) => problem.field === path);
  const placeholder = typeof field.example === 'string' ? field.example : undefined;
  // The count is shown from 60 % of the limit on, not under every empty field.
  const near = field.kind === 'text' && field.maxLength !== undefined && value.length > field.maxLength * 0.6;
  const hint = [
    field.hint,
    near ? `${number(value.length)} / ${count(field.maxLength ?? 0, 'caractère')}` : '',
  ]
    .filter(Boolean)
    .join(' ');
  const common = {
    value,
    placeholder,
    'aria-invalid': own.length > 0 || undefined,
    'aria-describedby': own.length > 0 ? id : undefined,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  return (
    <div>
      <Field
        label={field.label}
        name={path}
        hint={hint || undefined}
        optional={!field.required}
        required={field.required}
      >
        {field.kind === 'longText' ? (
          <Textarea
            {...common}
            rows={3}
            counter
            {...(field.maxLength ? { maxLength: field.maxLength } : {})}
          />
        ) : field.kind === 'colour' ? (
          <ColourInput {...common} label={field.label} />
        ) : (
          <Input {...common} />
        )}
      </Field>
      <MarkedProblems id={id} text={value} problems={own} />
    </div>
  );
}

type ColourInputProps = { label: string; value: string } & Omit<ComponentProps<'input'>, 'value'>;

function ColourInput({ label, ...own }: ColourInputProps) {
  return (
    <span className="flex gap-2">
      <input
        type="color"
        aria-label={`${label}, nuancier`}
        value={/^#[0-9a-f]{6}$/i.test(own.value) ? own.value : '#2f4bd8'}
        onChange={own.onChange}
        className="touch h-9 w-12 shrink-0 cursor-pointer rounded-md border border-line-strong bg-surface p-1"
      />
      <Input mono {...own} placeholder="#2f4bd8" className="max-w-36" />
    </span>
  );
}

type ListFieldProps = {
  field: FieldDefinition;
  items: Item[];
  problems: TemplateProblem[];
  onChange: (items: Item[]) => void;
};

function ListField({ field, items, problems, onChange }: ListFieldProps) {
  const id = useId();
  const parts = field.item ?? [];
  const most = field.maxLength ?? 10;
  const own = problems.filter((problem) => problem.field === field.id);
  return (
    <fieldset className="min-w-0" aria-describedby={own.length > 0 ? id : undefined}>
      <legend className="font-medium text-sm">
        {field.label}
        {field.required ? null : <span className="font-normal text-ink-faint"> · facultatif</span>}
      </legend>
      <p className="mt-0.5 mb-2 text-ink-faint text-xs">
        {field.hint ? `${field.hint} ` : ''}
        {field.required && field.minItems ? `De ${field.minItems} à ${most}.` : `${most} au plus.`}
      </p>
      <ol role="list" className="space-y-3">
        {items.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an item is its place
          <li key={index} className="flex items-start gap-2 rounded-md border border-line p-3">
            <span className="tabular w-5 shrink-0 pt-0.5 text-ink-faint text-sm">{index + 1}</span>
            <div className="min-w-0 grow space-y-3">
              {parts.map((part) => (
                <TextField
                  key={part.id}
                  field={part}
                  path={`${field.id}[${index}].${part.id}`}
                  value={item[part.id] ?? ''}
                  problems={problems}
                  onChange={(text) =>
                    onChange(items.map((one, at) => (at === index ? { ...one, [part.id]: text } : one)))
                  }
                />
              ))}
            </div>
            <IconButton
              ref={focusBeside}
              icon={Trash2}
              label={`Retirer l’élément ${index + 1}`}
              onClick={() => onChange(items.filter((_, at) => at !== index))}
            />
          </li>
        ))}
      </ol>
      <Button
        size="sm"
        icon={Plus}
        aria-disabled={items.length >= most || undefined}
        onClick={() => items.length < most && onChange([...items, {}])}
        className={items.length > 0 ? 'mt-3' : ''}
      >
        Ajouter un élément
      </Button>
      <MarkedProblems id={id} text="" problems={own} />
    </fieldset>
  );
}
