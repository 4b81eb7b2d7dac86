'use client';
import { Plus } from 'lucide';
import { useRouter } from 'next/navigation';
import { Button } from '#app/_ui/action/button.tsx';
import { Field } from '#app/_ui/form/field.tsx';
import { Form, SubmitButton } from '#app/_ui/form/form.tsx';
import { Input } from '#app/_ui/form/input.tsx';
import { Dialog, preloadDialog } from '#app/_ui/overlay/dialog.tsx';
import { useAsked } from '#app/_ui/use-asked.ts';
import { createSpace } from './actions.ts';
import { openCreated } from './open-created.ts';

type TemplateChoice = { value: string; label: string; pillars: string[] };

/** The primary action of the page and its dialog; `?nouveau` in the address opens it too. */
export function CreateSpace({ templates }: { templates: TemplateChoice[] }) {
  const router = useRouter();
  const [open, change] = useAsked('nouveau');
  return (
    <>
      <Button
        variant="primary"
        icon={Plus}
        aria-haspopup="dialog"
        onPointerEnter={preloadDialog}
        onFocus={preloadDialog}
        onClick={() => change(true)}
      >
        Créer un espace
      </Button>
      <Dialog
        wide
        open={open}
        onOpenChange={change}
        title="Créer un espace"
        description="Cinq piliers à remplir, dont le type choisit les mots. Il ne se change plus ensuite."
      >
        <Form action={createSpace} onDone={({ data }) => openCreated(router, data?.id ?? '')}>
          <div className="space-y-5">
            <Field label="Nom" name="name" required>
              <Input placeholder="Maison Lumen" autoComplete="off" data-autofocus />
            </Field>
            <fieldset>
              <legend className="mb-1.5 font-medium text-sm">Type d’espace</legend>
              <div className="grid gap-2 sm:grid-cols-2">
                {templates.map((template, index) => (
                  <label
                    key={template.value}
                    className="cursor-pointer rounded-md border border-line bg-surface p-3 transition-colors hover:border-line-strong has-checked:border-accent-ink has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent-ink has-focus-visible:outline-offset-2"
                  >
                    <input
                      type="radio"
                      name="template"
                      value={template.value}
                      defaultChecked={index === 0}
                      className="sr-only"
                    />
                    <span className="block font-medium text-sm">{template.label}</span>
                    <span className="mt-0.5 block text-ink-soft text-xs">{template.pillars.join(' · ')}</span>
                  </label>
                ))}
              </div>
            </fieldset>
            <Field label="Site web" name="websiteUrl" optional>
              <Input
                type="text"
                inputMode="url"
                placeholder="maison-lumen.fr"
                autoComplete="off"
                autoCapitalize="none"
              />
            </Field>
            <div className="form-foot">
              <SubmitButton>Créer l’espace</SubmitButton>
            </div>
          </div>
        </Form>
      </Dialog>
    </>
  );
}
