import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { runProgram } from '../helpers/program.ts'
import { type Site } from '../helpers/site.ts'
import { html } from '../helpers/site/route.ts'
import { openStoreIn } from '../store/programs/open-here.ts'
import { siteForAll, forAll } from '../helpers/for-all.ts'
import { bodyOf } from '../helpers/listen.ts'
import { startSessionServer } from './sessions-kit.ts'

const value = 'Tr0ub4dor & "three" <horses>'
const forms = [value, 'horses', encodeURIComponent(value), Buffer.from(value).toString('base64').replace(/=+$/, '')]
const field = '<label>Password <input id="field" name="word" type="text" oninput="echo(this.value)"></label>'
const script = `<script>
  function echo(text) {
    document.title = 'Typed ' + text
    document.querySelector('#out').textContent = 'You typed ' + text
    console.log('heard ' + text)
    history.replaceState(null, '', '?word=' + encodeURIComponent(text))
    fetch('/heard', { method: 'POST', body: text })
  }
</script>`
const form = `<title>Login</title><p>Please log in with your password here.</p>${field}<p id="out">nothing</p>${script}`
const key = 'the passphrase of this server'
const placeholder = '{{secret:shop.password}}'

const received: string[] = []

/** A site with a login, and a page that shows the login in a frame of another site. */
const loginSite = (framed: () => Site, text: string) =>
  siteForAll({
    routes: {
      '/login': html(form),
      '/heard': async ({ request, response }) => {
        received.push(await bodyOf(request))
        response.end()
      },
      '/around': ({ response }) =>
        void response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(`<title>Around</title><p>${text}</p><iframe src="${framed().url('/login')}"></iframe>`),
    },
  })
const other: Site = loginSite(() => shop, 'A page around a login.')
const shop: Site = loginSite(() => other, 'A page around a form.')
const server = forAll(() =>
  startSessionServer({ GOSSAMER_ALLOW_HOSTS: '127.0.0.1', GOSSAMER_LOG_LEVEL: 'debug', GOSSAMER_PROFILE_KEY: key }),
)
beforeAll(async () => {
  await secrets(['add', 'shop.password', '--origin', shop.url('/login')], key)
  await secrets(['add', 'shop.stale', '--origin', shop.url('/login')], 'the key of last year')
})

const secrets = (words: readonly string[], passphrase: string) =>
  runProgram(
    ['secrets', ...words],
    { GOSSAMER_DATA_DIR: server.dataDir, GOSSAMER_PROFILE_KEY: passphrase },
    `${value}\n`,
  )
const act = async (id: string, ...acts: object[]) => (await server.call(`POST /v2/browser/${id}/act`, { acts })).body
const fill = { type: 'fill', target: 'Password', value: placeholder }
const hidden = (answered: unknown) => {
  const text = JSON.stringify(answered)
  for (const each of forms) expect(text).not.toContain(each)
}

const files = () => {
  const folder = join(server.dataDir, 'secrets')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
}

describe('the file of a secret', () => {
  test('is encrypted with the key of the server, and open to its owner only', () => {
    expect(files().filter((path) => statSync(path).mode & 0o077)).toEqual([])
    const texts = files().flatMap((path) => (statSync(path).isFile() ? [readFileSync(path, 'utf8')] : []))
    expect(texts).toHaveLength(2)
    for (const text of texts) {
      expect(text).toContain('aes-256-gcm')
      expect(text).not.toContain(new URL(shop.url('/')).host)
      hidden(text)
    }
  })

  test('cannot be opened with another key, which the command and actions report', async () => {
    const message = 'The stored secret "shop.stale" cannot be read: it was stored with another GOSSAMER_PROFILE_KEY'
    const listed = await secrets(['list'], key)
    expect(listed.code).toBe(1)
    expect(listed.stderr).toContain(message)
    expect(listed.stderr).toContain('gossamer secrets add')
    const { id } = await server.open({ url: shop.url('/login') })
    expect(await act(id, { ...fill, value: '{{secret:shop.stale}}' })).toMatchObject({
      ok: false,
      text: expect.stringContaining(message),
    })
    await server.call(`DELETE /v2/browser/${id}`)
  })

  test('is removed with the secret, and the command lists names and origins', async () => {
    expect(await secrets(['remove', 'shop.stale'], key)).toMatchObject({ code: 0 })
    expect(await secrets(['remove', 'shop.stale'], key)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no secret "shop.stale".'),
    })
    const { stdout } = await secrets(['list'], key)
    expect(JSON.parse(stdout)).toEqual([{ name: 'shop.password', origin: new URL(shop.url('/')).origin }])
  })
})

describe('a secret typed by an action', () => {
  test('is typed into a page of its origin, and hidden in answers, pictures, the timeline and files', async () => {
    const { id, created } = await server.open({ url: shop.url('/login') })
    const { cdpUrl } = created
    const protocol = `${String(cdpUrl).replace(/^ws/, 'http')}/json/version`
    expect((await fetch(protocol)).status).toBe(200)
    const before = received.length
    const acted = await act(id, fill, { type: 'extract', as: 'markdown' }, { type: 'console' }, { type: 'network' })
    expect(acted).toMatchObject({ ok: true })
    await expect.poll(() => received.slice(before)).toContain(value)
    expect(acted['text']).toContain('[secret shop.password]')
    hidden(acted)
    const look = await server.call(`POST /v2/browser/${id}/snapshot`, { screenshot: true, showHidden: true })
    expect(look.body['snapshot']).toContain('You typed [secret shop.password]')
    expect(look.body['screenshot']).toBeUndefined()
    hidden(look.body)
    const picture = await act(id, { type: 'screenshot' })
    expect(picture).toMatchObject({ ok: false, text: expect.stringContaining('shows a secret') })
    expect((await server.call(`GET /v2/browser/${id}/screenshot`)).body).toMatchObject({ code: 'SESSION_FAILED' })
    const state = (await server.call(`GET /v2/browser/${id}`)).body
    expect(state['cdpUrl']).toBeUndefined()
    expect(state['liveViewUrl']).toBeDefined()
    hidden(state)
    expect((await fetch(protocol)).status).toBe(401)
    const code = `JSON.stringify([await page.title(), page.url(), await page.content(), await page.inputValue('#field')])`
    const ran = (await server.call(`POST /v2/browser/${id}/execute`, { code })).body
    expect(ran).toMatchObject({ exitCode: 0 })
    expect(ran['result']).toContain('[secret shop.password]')
    hidden(ran)
    const shot = await server.call(`POST /v2/browser/${id}/execute`, { code: `(await page.screenshot()).length` })
    expect(shot.body).toMatchObject({ exitCode: 1 })
    expect((await act(id, { type: 'navigate', url: other.url('/login') }, { type: 'screenshot' }))['ok']).toBe(true)
    await server.call(`DELETE /v2/browser/${id}`)
    const { store } = await openStoreIn(server.dataDir)
    const timeline = await store.jobs.find(`${id}:timeline`)
    await store.close()
    const { acts } = timeline!.result as { acts: { picture?: string }[] }
    // The first picture shows the page before the login.
    expect(acts.findLastIndex((each) => each.picture !== undefined)).toBe(0)
    hidden(timeline)
    for (const each of forms) expect(server.program.stderr()).not.toContain(each)
    for (const name of readdirSync(server.dataDir).filter((each) => each.startsWith('gossamer.db')))
      for (const each of forms) expect(readFileSync(join(server.dataDir, name), 'latin1')).not.toContain(each)
  })

  test.each<[string, () => string]>([
    ['a page of another origin', () => other.url('/login')],
    ['a frame of another origin', () => shop.url('/around')],
    ['a frame of its origin in a page of another', () => other.url('/around')],
  ])('is not typed into %s', async (_, url) => {
    const { id } = await server.open({ url: url() })
    const before = received.length
    expect(await act(id, fill)).toMatchObject({ ok: false, text: expect.stringContaining('typed only into pages of') })
    expect(await act(id, { ...fill, type: 'type' })).toMatchObject({ ok: false })
    const code = `const frame = page.frames().at(-1); await frame.locator('#field').fill('${placeholder}')`
    const ran = (await server.call(`POST /v2/browser/${id}/execute`, { code })).body
    expect(ran).toMatchObject({ error: expect.stringContaining('typed only into pages of') })
    expect(received.slice(before).filter((text) => text !== '')).toEqual([])
    await server.call(`DELETE /v2/browser/${id}`)
  })

  test('is unavailable under another name, and in a browser that a program has driven', async () => {
    const { id, created } = await server.open({ url: shop.url('/login') })
    const { cdpUrl } = created
    const unknown = await act(id, { ...fill, value: '{{secret:nothing}}' })
    expect(unknown).toMatchObject({ ok: false, text: expect.stringContaining('There is no secret "nothing"') })
    const socket = new WebSocket(String(cdpUrl))
    await new Promise((resolve) => socket.addEventListener('open', resolve))
    socket.close()
    expect(await act(id, fill)).toMatchObject({ ok: false, text: expect.stringContaining('open another session') })
    await server.call(`DELETE /v2/browser/${id}`)
  })
})

test.each([
  ['node', `await page.fill('#field', '${placeholder}'); await page.inputValue('#field')`],
  [
    'python',
    `await page.fill('#field', '${placeholder}')\nprint(await page.title())\nawait page.input_value('#field')`,
  ],
  ['bash', `agent-browser fill '#field' '${placeholder}' && agent-browser get value '#field'`],
])('a secret typed by %s code reaches the page, and is hidden from the code', async (language, code) => {
  const { id } = await server.open({ url: shop.url('/login') })
  const before = received.length
  const ran = (await server.call(`POST /v2/browser/${id}/execute`, { code, language })).body
  await expect.poll(() => received.slice(before)).toContain(value)
  expect(String(ran['stdout']) + String(ran['result'])).toContain('[secret shop.password]')
  hidden(ran)
  await server.call(`DELETE /v2/browser/${id}`)
})
