'use client';
import { UserPlus } from 'lucide';
import { useState } from 'react';
import { ConfirmCall } from '#app/_cockpit/dialogs/confirm-call.tsx';
import { focusBeside } from '#app/_cockpit/focus/focus-beside.ts';
import { PERMISSION_WORDS } from '#app/_cockpit/permission-words.ts';
import { type ChoosableSpace, SpaceChoice } from '#app/_cockpit/spaces/space-choice.tsx';
import { Checkbox, SegmentedControl } from '#app/_ui/form/choice.tsx';
import { Field } from '#app/_ui/form/field.tsx';
import { Form, FormFoot } from '#app/_ui/form/form.tsx';
import { Input } from '#app/_ui/form/input.tsx';
import { ofName } from '#app/_ui/format.ts';
import { DialogButton } from '#app/_ui/overlay/dialog.tsx';
import { Named } from '#app/_ui/text/named.tsx';
import { useAsked } from '#app/_ui/use-asked.ts';
import { GRANTABLE_PERMISSIONS, type MemberRole, type Permission } from '#lib/core/actor.ts';
import type { SpaceRights } from '#lib/db/space-rights.ts';
import { editedState } from '#lib/identity/members/edited-state.ts';
import { changeMember, erase, invite, reactivate, remove, resend, suspend, unblock } from './actions.ts';

/** The primary action of the page; `?inviter` in the address opens it too. */
export function InviteMember({ spaces }: { spaces: readonly ChoosableSpace[] }) {
  return (
    <DialogButton
      control={useAsked('inviter')}
      label="Inviter un membre"
      variant="primary"
      icon={UserPlus}
      title="Inviter un membre"
      description="Un message lui dit comment entrer. Il choisit de rejoindre le compte ou non, dans les sept jours&nbsp;; vous pouvez retirer l’invitation à tout moment."
    >
      {(close) => (
        <Form action={invite} onDone={close} className="flex flex-col gap-4">
          <Field label="Adresse e-mail" name="email" required>
            <Input
              type="email"
              autoComplete="off"
              autoCapitalize="none"
              placeholder="prenom@exemple.fr"
              autoFocus
            />
          </Field>
          <Field label="Nom" name="name" required>
            <Input autoComplete="off" placeholder="Prénom Nom" />
          </Field>
          <Rights kept="MEMBER" permissions={GRANTABLE_PERMISSIONS} spaces={spaces} given={null} />
          <FormFoot close={close} label="Envoyer l’invitation" />
        </Form>
      )}
    </DialogButton>
  );
}

type Editable = {
  id: string;
  name: string;
  email: string;
  role: MemberRole;
  permissions: readonly Permission[];
  /** Null: every Space. */
  spaces: SpaceRights | null;
};

type EditMemberProps = { member: Editable; isLastFounder: boolean; spaces: readonly ChoosableSpace[] };

export function EditMember({ member, isLastFounder, spaces }: EditMemberProps) {
  return (
    <DialogButton
      label={<Named about={member.name}>Modifier</Named>}
      variant="quiet"
      size="sm"
      title={member.name}
      description={member.email}
    >
      {(close) => <MemberForm member={member} isLastFounder={isLastFounder} spaces={spaces} close={close} />}
    </DialogButton>
  );
}

function MemberForm({ member, isLastFounder, spaces, close }: EditMemberProps & { close: () => void }) {
  // The values when the dialog opened: the page may be refreshed behind it, while the boxes keep the former values.
  const [opened] = useState(member);
  return (
    <Form action={changeMember} onDone={close} className="flex flex-col gap-4">
      <input type="hidden" name="memberId" value={opened.id} />
      <input type="hidden" name="opened" value={editedState(opened)} />
      <Field label="Nom" name="name" required>
        <Input defaultValue={opened.name} autoComplete="off" />
      </Field>
      <Rights kept={opened.role} permissions={opened.permissions} spaces={spaces} given={opened.spaces} />
      {isLastFounder ? (
        <p className="text-ink-faint text-xs">
          C’est le seul fondateur actif&nbsp;: son rôle ne peut changer qu’après en avoir nommé un autre.
        </p>
      ) : null}
      <FormFoot close={close} label="Enregistrer" />
    </Form>
  );
}

type RightsProps = {
  kept: MemberRole;
  permissions: readonly Permission[];
  spaces: readonly ChoosableSpace[];
  given: SpaceRights | null;
};

function Rights({ kept, permissions, spaces, given }: RightsProps) {
  const [role, setRole] = useState<string>(kept);
  return (
    <>
      <div className="flex flex-col gap-1.5">
        <span aria-hidden className="font-medium text-sm">
          Rôle
        </span>
        <SegmentedControl
          label="Rôle"
          name="role"
          options={[
            { value: 'MEMBER', label: 'Membre' },
            { value: 'FOUNDER', label: 'Fondateur' },
          ]}
          defaultValue={kept}
          onChange={setRole}
        />
      </div>
      {role === 'FOUNDER' ? (
        <p className="text-ink-soft text-sm">
          Un fondateur a tous les droits&nbsp;: équipe, portefeuille, audit et exploitation compris.
        </p>
      ) : null}
      <fieldset hidden={role === 'FOUNDER'} className="flex flex-col gap-2">
        <legend className="mb-1.5 font-medium text-sm">Droits</legend>
        {GRANTABLE_PERMISSIONS.map((permission) => (
          <Checkbox
            key={permission}
            name="permissions"
            value={permission}
            label={PERMISSION_WORDS[permission].label}
            hint={PERMISSION_WORDS[permission].hint}
            defaultChecked={permissions.includes(permission)}
          />
        ))}
        <p className="text-ink-faint text-xs">Sans aucun droit, un membre lit et ne change rien.</p>
      </fieldset>
      {/* Kept while « Fondateur » is selected: mounted again, the fields would be all ticked. Disabled fields are not submitted. */}
      <fieldset role="none" hidden={role === 'FOUNDER'} disabled={role === 'FOUNDER'} className="min-w-0">
        <SpaceChoice spaces={spaces} given={given} all="Tous ceux du compte, et ceux à venir." />
      </fieldset>
    </>
  );
}

export function Suspend({ memberId, name }: { memberId: string; name: string }) {
  return (
    <ConfirmCall
      ref={focusBeside}
      label="Suspendre"
      about={name}
      confirm="Suspendre le membre"
      title={`Suspendre ${name}\u00a0?`}
      call={() => suspend({ memberId })}
    >
      <p>
        Ses sessions se ferment tout de suite&nbsp;; ses clés et ses applications sont refusées dès la requête
        suivante, et ses partages ne s’ouvrent plus. Rien n’est effacé&nbsp;: une réactivation lui rend tout.
      </p>
    </ConfirmCall>
  );
}

export function ResendInvitation({ memberId, name }: { memberId: string; name: string }) {
  return (
    <ConfirmCall
      ref={focusBeside}
      label="Renvoyer"
      about={`l’invitation ${ofName(name)}`}
      confirm="Renvoyer l’invitation"
      tone="primary"
      title={`Renvoyer l’invitation ${ofName(name)}\u00a0?`}
      call={() => resend({ memberId })}
    >
      <p>Un nouveau message lui est envoyé, et l’invitation vaut sept jours de plus.</p>
    </ConfirmCall>
  );
}

export function Remove({ memberId, name, invited }: { memberId: string; name: string; invited: boolean }) {
  return (
    <ConfirmCall
      ref={focusBeside}
      label="Retirer"
      about={name}
      confirm={invited ? 'Retirer l’invitation' : 'Retirer du compte'}
      title={invited ? `Retirer l’invitation ${ofName(name)}\u00a0?` : `Retirer ${name} du compte\u00a0?`}
      call={() => remove({ memberId })}
    >
      <p>
        {invited
          ? 'Elle ne peut plus être acceptée. Vous pourrez inviter cette personne de nouveau.'
          : 'Ses sessions dans ce compte se ferment, ses clés et ses applications sont révoquées pour de bon. Ce qui a été fait ici garde son nom, sans son adresse. Pour une absence, suspendez plutôt.'}
      </p>
    </ConfirmCall>
  );
}

export function UnblockSignIn({ memberId, name }: { memberId: string; name: string }) {
  return (
    <ConfirmCall
      ref={focusBeside}
      label="Débloquer"
      about={name}
      confirm="Débloquer la connexion"
      tone="primary"
      title={`Débloquer la connexion ${ofName(name)}\u00a0?`}
      call={() => unblock({ memberId })}
    >
      <p>
        Cent codes faux ont été donnés pour son adresse. Un navigateur déjà connu continue d’entrer&nbsp;; un
        nouveau le pourra de nouveau une fois la connexion débloquée. Assurez-vous d’abord que c’est bien ce
        membre qui le demande.
      </p>
    </ConfirmCall>
  );
}

export function Reactivate({ memberId, name }: { memberId: string; name: string }) {
  return (
    <ConfirmCall
      ref={focusBeside}
      label="Réactiver"
      about={name}
      confirm="Réactiver le membre"
      tone="primary"
      title={`Réactiver ${name}\u00a0?`}
      call={() => reactivate({ memberId })}
    >
      <p>
        Ce membre pourra de nouveau se connecter&nbsp;; ses clés encore valables fonctionneront de nouveau.
      </p>
    </ConfirmCall>
  );
}

export function EraseMember({ memberId, name }: { memberId: string; name: string }) {
  return (
    <ConfirmCall
      ref={focusBeside}
      label="Effacer"
      about={name}
      confirm="Effacer le membre"
      title={`Effacer ${name} pour toujours\u00a0?`}
      call={() => erase({ memberId })}
    >
      <p>
        Son nom, son adresse, ses clés et ses applications sont effacés, et tout ce qui permet de le
        reconnaître si cette personne n’est membre d’aucun autre compte. Ce qui a été fait ici reste, sous
        «&nbsp;Membre effacé&nbsp;». Rien ne pourra le rendre.
      </p>
    </ConfirmCall>
  );
}
