import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { parseProxy } from '../../src/engine/net/proxy/upstream-proxy.ts'
import { localCertificate, selfSigned } from '../helpers/site/self-signed.ts'
import { freePort } from '../helpers/listen.ts'
import { client, textOf } from './fetching.ts'

type Login = 'with a password' | 'without a password'
type Program = { name: string; path: string; start(folder: string, port: number, login: Login): string[] }

const write = (folder: string, name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text, { mode: 0o644 })
  return path
}
const squidLogin = (folder: string) => {
  const hash = execFileSync('/usr/bin/openssl', ['passwd', '-apr1', 'secret']).toString().trim()
  return `auth_param basic program /usr/lib/squid/basic_ncsa_auth ${write(folder, 'users', `ada:${hash}\n`)}
acl known proxy_auth REQUIRED
http_access allow known`
}
const programs: readonly Program[] = [
  {
    name: 'Squid',
    path: '/usr/sbin/squid',
    start(folder, port, login) {
      const rule = login === 'with a password' ? squidLogin(folder) : 'http_access allow all'
      // As in Debian's configuration, tunnels lead to port 443 and one more only.
      const config = `http_port 127.0.0.1:${port}
acl secure port 443 ${securePort()}
acl CONNECT method CONNECT
http_access deny CONNECT !secure
${rule}
http_access deny all
cache deny all
access_log none
cache_log /dev/null
pid_filename none
shutdown_lifetime 0
`
      return ['-N', '-f', write(folder, 'squid.conf', config)]
    },
  },
  {
    name: 'tinyproxy',
    path: '/usr/bin/tinyproxy',
    start(folder, port, login) {
      const rule = login === 'with a password' ? 'BasicAuth ada secret\n' : ''
      const config = `Port ${port}\nListen 127.0.0.1\nMaxClients 20\nConnectPort 443\nConnectPort ${securePort()}\n${rule}`
      return ['-d', '-c', write(folder, 'tinyproxy.conf', config)]
    },
  },
]

const requests: string[] = []
const plain = createServer((request, response) => {
  requests.push(`${request.method} ${request.url} ${request.headers['via'] === undefined ? 'direct' : 'by a proxy'}`)
  response.end('plain page')
})
const secure = createSecureServer(selfSigned(localCertificate), (_, response) => response.end('secure page'))
const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port
const securePort = () => portOf(secure)

beforeAll(async () => {
  await Promise.all([plain, secure].map((server) => once(server.listen(0, '127.0.0.1'), 'listening')))
})
afterAll(() => {
  plain.close()
  secure.close()
})

async function answers(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isOpen) return
    await sleep(50)
  }
}

async function start(program: Program, login: Login): Promise<number> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'proxy-'))
  // Squid leaves the rights of root, if it has them.
  chmodSync(folder, 0o755)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const child = spawn(program.path, program.start(folder, port, login), { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  await answers(port)
  return port
}

const isHere = (path: string): boolean => {
  try {
    accessSync(path)
    return true
  } catch {
    return false
  }
}

describe.each(programs)('$name of Debian', (program) => {
  const isMissing = !isHere(program.path)
  const skipped = isMissing ? ` (skipped: ${program.path} is not installed)` : ''

  test.skipIf(isMissing).each<Login>(['without a password', 'with a password'])(
    `forwards http and tunnels https %s${skipped}`,
    async (login) => {
      const port = await start(program, login)
      const to = (user: string) => client({ chooseProxy: () => parseProxy(`http://${user}127.0.0.1:${port}`) })
      const get = to(login === 'with a password' ? 'ada:secret@' : '')
      requests.length = 0
      expect(textOf(await get(`http://127.0.0.1:${portOf(plain)}/page?a=1`))).toBe('plain page')
      expect(requests).toEqual(['GET /page?a=1 by a proxy'])
      const page = await get(`https://127.0.0.1:${securePort()}/`, { skipTlsVerification: true })
      expect(textOf(page)).toBe('secure page')
      if (login === 'without a password') return
      const refused = { code: 'SCRAPE_PROXY_SELECTION_ERROR' }
      const wrong = to('ada:wrong@')
      await expect(wrong(`http://127.0.0.1:${portOf(plain)}/`)).rejects.toMatchObject(refused)
      await expect(wrong(`https://127.0.0.1:${securePort()}/`)).rejects.toMatchObject(refused)
    },
  )
})
