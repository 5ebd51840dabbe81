/** Records the responses of the built program to the first messages of clients, for `dist/opening.json`. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { isDeepStrictEqual } from 'node:util'
import type { Lists, OpeningAnswers } from '../src/surfaces/mcp/opening/opening.ts'

const sessionVersions = ['2025-06-18', '2025-11-25', '2025-03-26', '2024-11-05']
const statelessVersion = '2026-07-28'
const lists = ['tools/list', 'prompts/list', 'resources/templates/list']
const clientInfo = { name: 'build', version: '1' }
const withApps = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } }

export async function openingAnswers(folder: string): Promise<OpeningAnswers> {
  const [stateless, initialized, ...others] = await Promise.all([
    listsOf((capabilities) => answersOf(folder, statelessRequests(capabilities))),
    listsOf((capabilities) => answersOf(folder, sessionRequests(sessionVersions[0]!, capabilities))),
    ...sessionVersions.map(
      async (version) => [version, (await answersOf(folder, [initialize(version, {})]))['initialize']!] as const,
    ),
  ])
  // The response to `initialize` is no list: it is sent once per session.
  for (const each of [initialized.plain, initialized.apps]) delete each['initialize']
  return { initialize: Object.fromEntries(others), initialized, stateless: { [statelessVersion]: stateless } }
}

type Answers = Record<string, object>

async function listsOf(answers: (capabilities: object) => Promise<Answers>): Promise<{ [K in keyof Lists]: Answers }> {
  const [plain, apps] = await Promise.all([answers({}), answers(withApps)])
  return {
    plain,
    apps: Object.fromEntries(
      Object.entries(apps).filter(([method, result]) => !isDeepStrictEqual(result, plain[method])),
    ),
  }
}

type Message = { method: string; params?: object }

const initialize = (protocolVersion: string, capabilities: object): Message => ({
  method: 'initialize',
  params: { protocolVersion, capabilities, clientInfo },
})

const sessionRequests = (version: string, capabilities: object): Message[] => [
  initialize(version, capabilities),
  { method: 'notifications/initialized' },
  ...lists.map((method) => ({ method })),
]

const statelessRequests = (capabilities: object): Message[] =>
  ['server/discover', ...lists].map((method) => ({
    method,
    params: {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': statelessVersion,
        'io.modelcontextprotocol/clientCapabilities': capabilities,
        'io.modelcontextprotocol/clientInfo': clientInfo,
      },
    },
  }))

/** Results by method. Throws if one is missing. */
async function answersOf(folder: string, messages: readonly Message[]): Promise<Answers> {
  const begin = `import(${JSON.stringify(join(folder, 'main.js'))}).then(({ main }) => main())`
  const program = spawn(process.execPath, ['-e', begin], { env: {}, stdio: ['pipe', 'pipe', 'inherit'] })
  const isRequest = ({ method }: Message) => !method.startsWith('notifications/')
  const lines = messages.map((message, id) =>
    JSON.stringify({ jsonrpc: '2.0', ...message, ...(isRequest(message) && { id }) }),
  )
  program.stdin.end(`${lines.join('\n')}\n`)
  const answers = (await text(program.stdout))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: number; result: object })
  return Object.fromEntries(
    messages.flatMap((message, id) => {
      if (!isRequest(message)) return []
      const result = answers.find((answer) => answer.id === id)?.result
      if (!result) throw new Error(`The program that was built does not answer ${message.method}`)
      return [[message.method, result]]
    }),
  )
}
