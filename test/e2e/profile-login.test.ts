import { once, EventEmitter } from 'node:events'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { findBrowser } from '../../src/engine/browser/find/find-browser.ts'
import { machineProbes } from '../../src/engine/browser/find/machine-probes.ts'
import { bodyOf, type Listening, serve } from '../helpers/listen.ts'
import { isAlive, processesBelow, until } from '../helpers/processes.ts'
import { folderForAll } from '../helpers/for-all.ts'
import { runProgram, startProgram, type Program } from '../helpers/program.ts'
import { hasXvfb, startScreen, type Screen } from '../helpers/screen.ts'

const folder = folderForAll()
const found = hasXvfb ? await findBrowser('full', {}, machineProbes(folder.path)).catch(() => undefined) : undefined
const hasWindows = found !== undefined && found.from !== 'remote' && found.kind === 'full'

/** A login form that a script submits. */
const form = `<!doctype html><title>Log in</title><h1>Please log in</h1>
<form method="post" action="/in"><input name="user"><input name="password" type="password"><button>Log in</button></form>
<script>if (location.search === '?by-itself') addEventListener('load', () => {
  document.forms[0].user.value = 'ada'
  document.forms[0].password.value = 'secret'
  document.forms[0].submit()
})</script>`
const inside = `<!doctype html><title>Account</title><h1>Hello Ada</h1><p>Your engine is ready.</p>
<script>localStorage.setItem('theme', 'dark'); fetch('/seen')</script>`

/** `seen` resolves when the page behind the login is open. */
const events = new EventEmitter()
const startSite = () =>
  serve(async (request, response) => {
    const isKnown = request.headers.cookie?.includes('session=ada-1815') ?? false
    const body = await bodyOf(request)
    response.setHeader('content-type', 'text/html')
    if (request.url === '/seen') {
      response.end()
      events.emit('seen')
    } else if (request.url === '/in') {
      if (body === 'user=ada&password=secret')
        response.setHeader('set-cookie', 'session=ada-1815; HttpOnly; SameSite=Lax; Path=/')
      response.writeHead(303, { location: '/' }).end()
    } else response.end(isKnown ? inside : form)
  })

let site: Listening

let screen: Screen
let env: Record<string, string>
let base: string
let program: Program | undefined
beforeAll(async () => {
  if (!hasWindows) return
  site = await startSite()
  base = `${site.origin}/`
  screen = await startScreen()
  env = { GOSSAMER_DATA_DIR: folder.path, GOSSAMER_ALLOW_HOSTS: site.place, DISPLAY: screen.display }
})
afterEach(() => program?.kill())
afterAll(() => {
  screen?.close()
  site?.close()
})

const scraped = async (profile?: object) => {
  const { stdout } = await runProgram(['scrape', base, '--json', JSON.stringify(profile ? { profile } : {})], env)
  return (JSON.parse(stdout) as { data: { markdown: string } }).data.markdown
}

describe.runIf(hasWindows)('gossamer profile login', () => {
  // test/browser/profile-window.test.ts covers the other ends of a login.
  test('saves the login when the person presses Enter', async () => {
    const seen = once(events, 'seen')
    program = startProgram(['profile', 'login', 'ada', `${base}?by-itself`], env)
    await program.waitForStderr(/Log in in the window/)
    await seen
    const browsers = processesBelow(program.child.pid ?? 0)
    expect(browsers.length).toBeGreaterThan(0)
    program.child.stdin.write('\n')
    expect(await program.exited).toMatchObject({ code: 0 })
    expect(program.stderr()).toContain('Saved. Scrape with {"profile": {"name": "ada"}} to use it.')
    expect(program.stdout()).toBe('')
    await until(() => !browsers.some(isAlive))

    const shown = await runProgram(['profile', 'show', 'ada'], env)
    expect(JSON.parse(shown.stdout)).toMatchObject({
      cookies: [{ domain: '127.0.0.1', count: 1 }],
      origins: [{ origin: new URL(base).origin, localStorage: 1 }],
    })
    expect(await scraped({ name: 'ada', saveChanges: false })).toContain('Hello Ada')
    expect(await scraped()).toContain('Please log in')
  })
})
