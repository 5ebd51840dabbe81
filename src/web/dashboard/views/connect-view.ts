import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { CodeBox, kindName, shortUrl, Tabs, Time } from '../parts.ts'
import { useChoice } from '../place.ts'
import { login } from '../server-calls.ts'
import { useJobList } from './job-data.ts'

type Client = { title: string; snippet(url: string, key: string | undefined): string }

const headersOf = (key: string | undefined) => key && { headers: { Authorization: `Bearer ${key}` } }
const json = (value: object) => JSON.stringify(value, undefined, 2)

const clients = {
  claude: {
    title: 'Claude Code',
    snippet: (url, key) =>
      `claude mcp add --transport http gossamer ${url}${key ? ` \\\n  --header "Authorization: Bearer ${key}"` : ''}`,
  },
  cursor: {
    title: 'Cursor and others',
    snippet: (url, key) => json({ mcpServers: { gossamer: { url, ...headersOf(key) } } }),
  },
  vscode: {
    title: 'VS Code',
    snippet: (url, key) => json({ servers: { gossamer: { type: 'http', url, ...headersOf(key) } } }),
  },
  curl: {
    title: 'REST',
    snippet: (url, key) =>
      `curl ${url.replace('/mcp', '/v2/scrape')} \\\n  -H 'content-type: application/json' \\\n${key ? `  -H 'authorization: Bearer ${key}' \\\n` : ''}  -d '{"url": "https://example.com"}'`,
  },
} satisfies Record<string, Client>

/** Explains how to connect an agent, and shows that it is connected after its first call. */
export function Connect(): VNode {
  const [client, setClient] = useChoice<keyof typeof clients>('client', 'claude')
  const { value } = useJobList({ limit: '1' }, 2000)
  const call = value?.recent[0] ?? value?.running[0]
  const { user } = login()
  const tabs = Object.fromEntries(Object.entries(clients).map(([name, { title }]) => [name, title]))
  const text = clients[client].snippet(`${location.origin}/mcp`, user === '' ? undefined : 'YOUR_API_KEY')
  return html`<section aria-label="Connect an agent">
    <p role="status" class=${`note ${call ? 'connected' : ''}`}>
      ${
        call
          ? html`<b>Connected.</b> The last call was ${kindName(call.endpoint)} ${shortUrl(call.target ?? '')},${' '}
              <${Time} iso=${call.created_at} />.`
          : 'Waiting for the first call of an agent…'
      }
    </p>
    <${Tabs} label="Client" tabs=${tabs} now=${client} choose=${setClient} />
    <${CodeBox} label="Connect" text=${text} />
    <p class="faint">
      ${
        user === ''
          ? 'This server needs no key.'
          : html`The key is the one you logged in with (${user}); <code>gossamer keys add NAME</code> creates another.`
      }
      ${' '}On the machine of the server, <code>gossamer setup</code> connects the clients that it finds.
    </p>
  </section>`
}
