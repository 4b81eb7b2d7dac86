/** How to connect one assistant: its steps, then the file or the command to paste, if it has one. */
export type Guide = {
  id: string;
  name: string;
  /** The assistant runs on its maker's machines and must reach this address from there. */
  remote: boolean;
  steps: string[];
  samples: { label: string; code: string }[];
};

const json = (value: unknown) => JSON.stringify(value, null, 2);

/** The instructions for common assistants, with the MCP address of this service. */
export function guides(address: string): Guide[] {
  return [
    {
      id: 'claude',
      name: 'Claude',
      remote: true,
      steps: [
        'Ouvrez les paramètres de Claude, puis « Connecteurs ».',
        'Choisissez « Ajouter un connecteur personnalisé », donnez le nom Atelier et collez l’adresse.',
        'Cliquez sur « Connecter », connectez-vous à Atelier, puis acceptez.',
        'Avec Claude Code\u00a0: lancez la commande dans un terminal, puis tapez /mcp dans une session, choisissez atelier et connectez-vous.',
      ],
      samples: [{ label: 'Claude Code', code: `claude mcp add --transport http atelier ${address}` }],
    },
    {
      id: 'chatgpt',
      name: 'ChatGPT',
      remote: true,
      steps: [
        'Dans les paramètres de ChatGPT, ouvrez « Applications et connecteurs », puis activez le mode développeur dans les réglages avancés.',
        'Choisissez « Créer », donnez le nom Atelier, collez l’adresse et gardez l’authentification OAuth.',
        'Connectez-vous à Atelier quand ChatGPT le demande, puis acceptez.',
      ],
      samples: [],
    },
    {
      id: 'cursor',
      name: 'Cursor',
      remote: false,
      steps: [
        'Ajoutez ceci au fichier ~/.cursor/mcp.json, ou à .cursor/mcp.json dans un projet.',
        'Dans les réglages de Cursor, rubrique MCP, cliquez sur « Connect » à côté d’atelier, puis acceptez.',
      ],
      samples: [{ label: 'mcp.json', code: json({ mcpServers: { atelier: { url: address } } }) }],
    },
    {
      id: 'vscode',
      name: 'VS Code',
      remote: false,
      steps: [
        'Lancez la commande, ou ajoutez ceci au fichier .vscode/mcp.json.',
        'Démarrez le serveur atelier depuis ce fichier\u00a0: VS Code ouvre la page de connexion. Acceptez.',
      ],
      samples: [
        {
          label: 'Commande',
          code: `code --add-mcp '${JSON.stringify({ name: 'atelier', type: 'http', url: address })}'`,
        },
        { label: '.vscode/mcp.json', code: json({ servers: { atelier: { type: 'http', url: address } } }) },
      ],
    },
    {
      id: 'autre',
      name: 'Un autre assistant',
      remote: false,
      steps: [
        'Donnez-lui l’adresse comme serveur MCP distant (Streamable HTTP). Il découvre la suite\u00a0: enregistrement, connexion, accord.',
        'Un script sans navigateur peut se servir d’une clé de développeur à la place.',
      ],
      samples: [
        { label: 'Configuration', code: json({ mcpServers: { atelier: { type: 'http', url: address } } }) },
        {
          label: 'Avec une clé',
          code: json({
            mcpServers: {
              atelier: { type: 'http', url: address, headers: { Authorization: 'Bearer VOTRE_CLE' } },
            },
          }),
        },
      ],
    },
  ];
}
