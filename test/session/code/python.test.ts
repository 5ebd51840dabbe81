import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { none } from '../../../src/engine/code/sandbox/find-sandbox.ts'
import { keepDownloads } from '../../../src/engine/session/session-downloads.ts'
import { shareHere } from '../../browser/programs/shared.ts'
import { serve } from '../../helpers/listen.ts'
import { outcome, runnerOn, strong } from './programs/coding.ts'
import { startSnippetSite } from './snippets/site.ts'
import { forAll } from '../../helpers/for-all.ts'

const site = forAll(startSnippetSite)
const files = forAll(() => {
  const headers = { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="prices.csv"' }
  return serve((_, response) => response.writeHead(200, headers).end('a,b\n1,2\n'))
})
const browser = forAll(shareHere)
const runner = forAll(async () => {
  const { targetId } = await browser.connection.browser.send('Target.createTarget', { url: 'about:blank' })
  const { targetInfos } = await browser.connection.browser.send('Target.getTargets', {})
  const contextId = targetInfos.find((target) => target.targetId === targetId)!.browserContextId!
  const folder = mkdtempSync(join(tmpdir(), 'gossamer-downloads-'))
  const downloads = await keepDownloads(
    { connection: browser.connection, contextId, folder },
    AbortSignal.timeout(20_000),
  )
  return runnerOn(browser, { language: 'python', sandbox: strong ?? none, followDownloads: downloads.follow })
})

const printed = async (code: string) => {
  const { stdout, error } = await outcome(
    runner,
    code.replaceAll('SITE', site.url).replaceAll('FILES', `${files.origin}/prices`),
  )
  return error === undefined ? stdout : error
}
const fetched = `await page.evaluate("async () => (await fetch('/api/text')).text()")`

describe('Python code', () => {
  test.each([
    [
      'answers requests of a page',
      `await page.goto('SITE/')
async def answer(route):
    await route.fulfill(body='made up', content_type='text/plain')
await page.route('**/api/text', answer)
print(${fetched})
await page.unroute('**/api/text', answer)
print(${fetched})`,
      'made up\nfrom the site\n',
    ],
    [
      'changes requests, and aborts others',
      `import re
await page.goto('SITE/')
async def change(route, request):
    await route.continue_(method='PUT', post_data='sent', headers={**request.headers, 'x-extra': 'yes'})
await page.route(re.compile('/api/echo$'), change)
echoed = await page.evaluate("async () => (await fetch('/api/echo')).json()")
print(echoed['method'], echoed['body'], echoed['headers']['x-extra'])
await page.route('**/*.png', lambda route: route.abort())
await page.reload()
print(await page.eval_on_selector('img', 'image => image.naturalWidth'))
await page.unroute_all()`,
      'PUT sent yes\n0\n',
    ],
    [
      'waits for requests and responses, by URL and by a function',
      `await page.goto('SITE/')
async with page.expect_response('**/api/text') as first:
    await page.click('#fetch')
response = await first.value
print(response.status, response.ok, response.headers['content-type'], await response.text(), response.request.method)
async with page.expect_request(lambda request: request.url.endswith('/api/text')) as second:
    await page.click('#fetch')
request = await second.value
print(request.resource_type, request.is_navigation_request(), request.frame == page.main_frame)`,
      '200 True text/plain from the site GET\nfetch False True\n',
    ],
    [
      'uses frames of other sites',
      `await page.goto('SITE/')
card = page.frame_locator('#payment')
await card.get_by_label('Card number').fill('4242')
await card.get_by_role('button', name='Pay').click()
print([frame.name for frame in page.frames][1:2], await page.frames[-1].title(), page.frames[-1].parent_frame == page.main_frame)
print(await page.frame('embedded').title(), page.frame('nowhere'), page.frame(url='**/card').is_detached())`,
      `['embedded'] Paid 4242 True\nInner None False\n`,
    ],
    [
      'exposes functions to pages',
      `await page.goto('SITE/')
async def double(number):
    return number * 2
await page.expose_function('double', double)
print(await page.evaluate('double(21)'))`,
      '42\n',
    ],
    [
      'cannot read members that do not belong to Playwright',
      `import sys
channel = sys.modules['browser_channel']
for step in (['get', '_connection'], ['get', 'constructor'], ['call', 'toString', []], ['get', 'nothing']):
    print(channel.request_now([['object', 'page'], step])['error']['message'])`,
      `'_connection' is not there\n'constructor' is not there\n'toString' is not there\n'nothing' is not there\n`,
    ],
  ])('%s', async (_, code, expected) => expect(await printed(code)).toBe(expected))

  test.skipIf(!strong)('uploads and downloads files of its sandbox', async () => {
    const code = `await page.goto('SITE/')
await page.set_content('<a href="FILES">Prices</a><input type=file>')
async with page.expect_download() as info:
    await page.click('a')
download = await info.value
print(download.suggested_filename, download.url == 'FILES', (await download.path()).read_text().splitlines())
await download.save_as('kept.csv')
await page.set_input_files('input', 'kept.csv')
print(await page.eval_on_selector('input', 'input => input.files[0].text()'))
await page.screenshot(path='here.png')
print(open('here.png', 'rb').read()[1:4])`
    expect(await printed(code)).toBe(`prices.csv True ['a,b', '1,2']\na,b\n1,2\n\nb'PNG'\n`)
  })

  test('stays in the context of a session that shares its browser', async () => {
    const { browserContextId } = await browser.connection.browser.send('Target.createBrowserContext', {})
    const url = 'data:text/html,<title>Own</title>'
    await browser.connection.browser.send('Target.createTarget', { url, browserContextId })
    const reach = { contextId: browserContextId }
    for (const [language, code, output] of [
      ['bash', `agent-browser get title; agent-browser tab | wc -l`, ['Own', '1']],
      ['python', `await context.new_page()\nprint(await page.title(), len(context.pages))`, ['Own', '2']],
    ] as const) {
      const own = runnerOn(browser, { language, sandbox: strong ?? none, reach })
      const { stdout } = await outcome(own, code)
      expect(stdout.trim().split(/\s+/)).toEqual(output)
      await own.close()
    }
    await browser.connection.browser.send('Target.disposeBrowserContext', { browserContextId: browserContextId! })
  })
})
