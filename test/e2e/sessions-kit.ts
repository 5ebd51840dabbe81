import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { once } from '../../src/util/async.ts'
import { type Answered, call as send } from '../helpers/api.ts'
import { processesBelow } from '../helpers/processes.ts'
import { startServer, tempDir } from '../helpers/program.ts'
import { endWithThisProcess } from '../helpers/shared-server.ts'
import { forTest } from '../helpers/for-all.ts'
import { answer, html, type Routes } from '../helpers/site/route.ts'

export type CallOptions = { key?: string; signal?: AbortSignal }
/** Calls a route such as `POST /v2/browser`. */
export type Call = (route: string, body?: object, options?: CallOptions) => Promise<Answered>

type ProcessKind = 'browser' | 'page' | 'code'

/** Returns the processes below a server: all, or browsers, their pages' processes, or sandboxes of code. */
function processesOf(server: number, kind?: ProcessKind): number[] {
  return processesBelow(server).filter((pid) => kind === undefined || kindOf(pid) === kind)
}

function kindOf(pid: number): ProcessKind | undefined {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1')
    if (command.includes('--type=renderer')) return 'page'
    if (command.includes('--type=')) return undefined
    return command.includes('--remote-debugging-pipe') ? 'browser' : 'code'
  } catch {
    return undefined
  }
}

export type SessionServer = Awaited<ReturnType<typeof startSessionServer>>

/** Starts a server with its own temporary folder, so files left behind can be found, and by default its own data folder. */
export async function startSessionServer(env: Record<string, string> = {}) {
  const folder = tempDir()
  const temporary = join(folder.path, 'tmp')
  mkdirSync(temporary)
  const server = await startServer({
    GOSSAMER_DATA_DIR: join(folder.path, 'data'),
    // Not every machine that runs tests has a strong sandbox.
    GOSSAMER_UNSANDBOXED_CODE: 'always',
    TMPDIR: temporary,
    ...env,
  })
  const pid = server.program.child.pid ?? 0
  const call: Call = (route, body, options) => send(server.url, route, { ...options, ...(body && { body }) })
  return {
    ...server,
    call,
    pid,
    dataDir: env['GOSSAMER_DATA_DIR'] ?? join(folder.path, 'data'),
    processes: (kind?: ProcessKind) => processesOf(pid, kind),
    killBrowser: () =>
      processesOf(pid, 'browser')
        .slice(0, 1)
        .forEach((browser) => process.kill(browser, 'SIGKILL')),
    // Ignores the folder of Node for compiled code.
    leftFiles: () => readdirSync(temporary).filter((name) => name !== 'node-compile-cache'),
    /** Ends the server and removes its folder. */
    async stop() {
      await server.stop()
      folder.remove()
    },
    async open(settings: object = {}, options?: CallOptions): Promise<LiveSession> {
      const { status, body } = await call('POST /v2/browser', settings, options)
      if (status !== 200) throw new Error(`no session: ${JSON.stringify(body)}`)
      return sessionOf(call, body, options)
    },
  }
}

/** Returns the server for all test files of this process. Each test closes the sessions that it opens. */
export const sharedSessionServer = once(async () => {
  const server = await startSessionServer({ GOSSAMER_ALLOW_HOSTS: '127.0.0.1' })
  endWithThisProcess(server.program, dirname(server.dataDir))
  return server
})

/** Starts a server for one test. */
export async function serverForTest(env: Record<string, string> = {}): Promise<SessionServer> {
  return forTest(await startSessionServer(env))
}

export type LiveSession = ReturnType<typeof sessionOf>

function sessionOf(call: Call, created: Answered['body'], options?: CallOptions) {
  const id = String(created['id'])
  const at = `/v2/browser/${id}`
  const within = (more?: CallOptions) => ({ ...options, ...more })
  return {
    id,
    created,
    run: (code: string, more: object = {}, over?: CallOptions) =>
      call(`POST ${at}/execute`, { code, ...more }, within(over)),
    act: (acts: readonly object[], over?: CallOptions) => call(`POST ${at}/act`, { acts }, within(over)),
    go: (url: string) => call(`POST ${at}/act`, { acts: [{ type: 'navigate', url }] }, options),
    look: (snapshot: object = {}, over?: CallOptions) => call(`POST ${at}/snapshot`, snapshot, within(over)),
    state: () => call(`GET ${at}`, undefined, options),
    picture: () => call(`GET ${at}/screenshot`, undefined, options),
    close: () => call(`DELETE ${at}`, undefined, options),
  }
}

/** A site with a login cookie and a choice in localStorage. */
export const loginRoutes: Routes = {
  '/sessions/account': ({ request, response }) => {
    const isKnown = request.headers.cookie?.includes('sessions-login=ada') ?? false
    response.writeHead(200, { 'content-type': 'text/html' }).end(isKnown ? account : login)
  },
  '/sessions/in': answer(303, {
    location: '/sessions/account',
    'set-cookie': 'sessions-login=ada; Path=/; HttpOnly; Max-Age=3600',
  }),
  '/sessions/plain': html('<!doctype html><title>Plain</title><h1>Plain page</h1><button>Press</button>'),
}
const login = `<!doctype html><title>Log in</title><h1>Who are you?</h1>
<form method="post" action="/sessions/in"><input name="user" aria-label="Name"><button>Log in</button></form>
<p>${'You have to say who you are before you may see anything of your account. '.repeat(4)}</p>`
const account = `<!doctype html><title>Account</title><h1>Hello Ada</h1><p id="theme"></p><button onclick="choose()">Dark</button>
<p>${'Your engine is ready, and there is enough to read about it here on this page. '.repeat(4)}</p>
<script>const show = () => (theme.textContent = 'Theme: ' + (localStorage.getItem('theme') ?? 'none'))
function choose() { localStorage.setItem('theme', 'dark'); show() }
show()</script>`
