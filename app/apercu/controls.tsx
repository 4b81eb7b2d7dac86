import { Download, Pencil, Plus, Trash2 } from 'lucide';
import { Button, LinkButton } from '../_ui/action/button.tsx';
import { CopyButton } from '../_ui/action/copy-button.tsx';
import { IconButton } from '../_ui/action/icon-button.tsx';
import { Section } from '../_ui/data/card.tsx';
import { Checkbox } from '../_ui/form/choice.tsx';
import { Field } from '../_ui/form/field.tsx';
import { Form, SubmitButton } from '../_ui/form/form.tsx';
import { Input, Select, Textarea } from '../_ui/form/input.tsx';
import { Kbd } from '../_ui/text/kbd.tsx';
import { demonstrationSave } from './actions.ts';
import { ControlsDemo, OverlayDemo } from './islands.tsx';

export function Actions() {
  return (
    <Section title="Actions">
      <div className="flex flex-wrap items-center gap-3">
        <Button variant="primary" icon={Plus}>
          Créer un espace
        </Button>
        <Button icon={Download}>Exporter</Button>
        <Button variant="quiet">Annuler</Button>
        <Button variant="danger" icon={Trash2}>
          Révoquer la clé
        </Button>
        <Button variant="primary" pending>
          Générer · retient 0,32 $US
        </Button>
        <Button disabled>Indisponible</Button>
        <LinkButton href="/apercu" size="sm">
          Lien
        </LinkButton>
        <IconButton icon={Pencil} label="Modifier" keys="m" />
        <CopyButton text="Bonjour" label="Copier le contexte" />
        <CopyButton text="Bonjour" compact />
        <Kbd keys="g e" />
      </div>
    </Section>
  );
}

export function Forms() {
  return (
    <Section
      title="Formulaires"
      description="Envoyez sans titre&nbsp;: la saisie reste, le refus se place sous le champ."
    >
      <div className="grid gap-8 lg:grid-cols-2">
        <Form action={demonstrationSave} resetOnDone className="max-w-xl">
          <div className="space-y-4">
            <Field label="Titre" name="title" hint="200 caractères au plus." required>
              <Input placeholder="Ton et vocabulaire" />
            </Field>
            <div className="grid gap-4 sm:grid-cols-2">
              <Field label="Pilier" name="pillar">
                <Select defaultValue="GUIDELINES">
                  <option value="IDENTITY">Identité</option>
                  <option value="GUIDELINES">Charte</option>
                  <option value="KNOWLEDGE">Connaissances</option>
                </Select>
              </Field>
              <Field label="Source" name="source" optional>
                <Input mono placeholder="https://…" />
              </Field>
            </div>
            <Field label="Texte" name="body" error="Ce champ montre un refus venu d’ailleurs.">
              <Textarea counter maxLength={280} defaultValue="Nous tutoyons nos clients, jamais la presse." />
            </Field>
            <Checkbox
              name="scope"
              value="brain:read"
              label="Lire le contexte"
              hint="brain:read"
              defaultChecked
            />
            <Checkbox name="scope" value="brain:write" label="Ajouter des mémoires" hint="brain:write" />
            <SubmitButton>Ajouter la mémoire</SubmitButton>
          </div>
        </Form>
        <ControlsDemo />
      </div>
    </Section>
  );
}

export function Overlays() {
  return (
    <Section title="Au-dessus de la page">
      <OverlayDemo />
    </Section>
  );
}
