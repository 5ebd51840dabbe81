import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Download, keepDownloads, setDownloads } from '../../src/engine/session/session-downloads.ts'
import { CdpError } from '../../src/engine/browser/cdp/cdp-session.ts'
import { performActions } from '../../src/engine/session/page/act.ts'
import { createTabs } from '../../src/engine/session/page/tabs.ts'
import { shareHere } from '../browser/programs/shared.ts'
import { forAll, siteForAll } from '../helpers/for-all.ts'
import { html } from '../helpers/site/route.ts'

const slowly = { timeout: 15_000 }
const soon = () => AbortSignal.timeout(20_000)
const limits = { fileBytes: 2_000_000, allBytes: 2_500_000, files: 20, settleMs: 300 }
const link = (name: string) => `<a href="/slow/${name}" download>${name}</a>`

const waiting: (() => void)[] = []

const site = siteForAll({
  routes: {
    '/downloads': html(
      `<title>Files</title><button>Nothing</button><a href="/now" target="_blank">New tab</a>${['a', 'b', 'c', 'd'].map(link).join(' ')}`,
    ),
    '/now': ({ response }) =>
      void response.writeHead(200, { 'content-disposition': 'attachment; filename="a.csv"' }).end('a,b'),
    ...Object.fromEntries(
      ['a', 'b', 'c', 'd'].map((name) => [
        `/slow/${name}`,
        ({ response }) => {
          const head = { 'content-length': 900_000, 'content-disposition': `attachment; filename="${name}.bin"` }
          response.writeHead(200, head).write(Buffer.alloc(500_000))
          waiting.push(() => response.end(Buffer.alloc(400_000)))
        },
      ]),
    ),
  },
})
const browser = forAll(shareHere)

async function openPage() {
  const { connection } = browser
  const { browserContextId: contextId } = await connection.browser.send('Target.createBrowserContext', {})
  const folder = mkdtempSync(join(tmpdir(), 'gossamer-downloads-'))
  const downloads = await keepDownloads({ connection, contextId, folder }, soon(), limits)
  const tabs = await createTabs(connection, { contextId, downloads }, soon())
  const act = (...acts: Parameters<typeof performActions>[1]) => performActions({ tabs, actMs: 8000 }, acts, soon())
  await act({ type: 'navigate', url: site.url('/downloads') })
  const start = (name: string) =>
    tabs.current().evaluate(`document.querySelector('[href="/slow/${name}"]').click()`, soon())
  return { downloads, tabs, folder, act, start }
}

test('concurrent downloads count together before any of them has ended', async () => {
  const { downloads, folder, start } = await openPage()
  const reported: Download[] = []
  for (const name of ['a', 'b', 'c', 'd']) {
    await start(name)
    // The browser requests one after the other.
    await expect.poll(() => waiting.length).toBe({ a: 1, b: 2, c: 3, d: 4 }[name])
  }
  await expect
    .poll(async () => {
      reported.push(...(await downloads.take()))
      return reported
        .filter((each) => 'why' in each && each.why.includes('MB in all'))
        .map(({ name }) => name)
        .toSorted()
    }, slowly)
    .toEqual(['c.bin', 'd.bin'])
  waiting.splice(0).forEach((finish) => finish())
  await expect
    .poll(async () => {
      reported.push(...(await downloads.take()))
      return reported.flatMap((each) => ('file' in each ? each.name : [])).toSorted()
    }, slowly)
    .toEqual(['a.bin', 'b.bin'])
  await expect.poll(() => readdirSync(folder)).toEqual([])
})

test('a download that ends between two calls is reported by the next', async () => {
  const { act, start, downloads } = await openPage()
  await start('a')
  await expect.poll(() => waiting.length).toBe(1)
  waiting.splice(0).forEach((finish) => finish())
  await expect.poll(() => downloads.find('f1')).toBeDefined()
  expect(await act({ type: 'click', target: 'Nothing' })).toMatchObject({ files: [{ id: 'f1', name: 'a.bin' }] })
})

test('the tab that a page opens for a download is closed', async () => {
  const { act, tabs } = await openPage()
  const { text } = await act({ type: 'click', target: 'New tab' })
  expect(text).toContain('Download: a.csv, kept as file f1')
  expect(await tabs.list()).toMatchObject([{ id: 't1', isCurrent: true }])
})

/** Sets downloads in a browser that refuses commands with a context, as older versions of Chromium do. */
async function sentTo(refusal: string | undefined): Promise<{ sent: object[]; failed: unknown }> {
  const sent: object[] = []
  const send = async (method: string, params: object) => {
    sent.push(params)
    if (refusal !== undefined && 'browserContextId' in params)
      throw CdpError.refused(method, { code: -32_602, message: refusal })
    return {}
  }
  const sender = { send } as unknown as Parameters<typeof setDownloads>[0]
  const behaviour = { behavior: 'deny', browserContextId: 'A1', eventsEnabled: true } as const
  const failed = await setDownloads(sender, behaviour, new AbortController().signal).catch((thrown: unknown) => thrown)
  return { sent, failed }
}

test('the download behaviour is set for the context of the session', async () => {
  expect(await sentTo(undefined)).toEqual({
    sent: [{ behavior: 'deny', browserContextId: 'A1', eventsEnabled: true }],
    failed: undefined,
  })
})

test('the download behaviour is set without a context if the browser does not know its default context', async () => {
  const { sent, failed } = await sentTo('Failed to find browser context for id A1')
  expect(failed).toBeUndefined()
  expect(sent.at(-1)).toEqual({ behavior: 'deny', eventsEnabled: true })
})
