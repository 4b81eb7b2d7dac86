'use client';
import { Plus } from 'lucide';
import { useState } from 'react';
import { onlyChanged } from '#app/_cockpit/only-changed.ts';
import { Field } from '#app/_ui/form/field.tsx';
import { Form, FormFoot } from '#app/_ui/form/form.tsx';
import { Input } from '#app/_ui/form/input.tsx';
import { DialogButton } from '#app/_ui/overlay/dialog.tsx';
import { Named } from '#app/_ui/text/named.tsx';
import { addProject, changeProject } from './actions.ts';

type Project = { id: string; name: string; websiteUrl: string };

export function RegisterProject() {
  return (
    <DialogButton label="Enregistrer un projet" variant="primary" icon={Plus} title="Enregistrer un projet">
      {(close) => (
        <Form action={addProject} onDone={close} className="flex flex-col gap-4">
          <Fields />
          <FormFoot close={close} label="Enregistrer le projet" />
        </Form>
      )}
    </DialogButton>
  );
}

export function EditProject({ project }: { project: Project }) {
  return (
    <DialogButton
      label={<Named about={project.name}>Modifier</Named>}
      variant="quiet"
      size="sm"
      title={`Modifier ${project.name}`}
    >
      {(close) => <EditForm project={project} close={close} />}
    </DialogButton>
  );
}

function EditForm({ project, close }: { project: Project; close: () => void }) {
  // The initial values: the page may be refreshed while the dialog is open.
  const [{ id, ...shown }] = useState(project);
  return (
    <Form action={onlyChanged(changeProject, shown)} onDone={close} className="flex flex-col gap-4">
      <input type="hidden" name="projectId" value={id} />
      <Fields project={shown} />
      <FormFoot close={close} label="Enregistrer" />
    </Form>
  );
}

function Fields({ project }: { project?: Omit<Project, 'id'> }) {
  return (
    <>
      <Field label="Nom" name="name" required>
        <Input
          defaultValue={project?.name ?? ''}
          autoComplete="off"
          placeholder="Boutique en ligne"
          autoFocus
        />
      </Field>
      <Field label="Site" name="websiteUrl" required>
        <Input
          type="url"
          inputMode="url"
          defaultValue={project?.websiteUrl ?? ''}
          autoComplete="off"
          autoCapitalize="none"
          placeholder="https://exemple.fr"
        />
      </Field>
    </>
  );
}
