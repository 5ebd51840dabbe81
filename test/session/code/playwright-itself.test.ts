import { afterEach, describe, expect, test } from 'vitest'
import { edited } from '../../../src/engine/code/playwright-core/bundle-playwright.ts'
import type { CodeRunner } from '../../../src/engine/code/runners.ts'
import { shareHere } from '../../browser/programs/shared.ts'
import { outcome, places, runnerOn } from './programs/coding.ts'
import { forAll } from '../../helpers/for-all.ts'

let runner: CodeRunner | undefined
const browser = forAll(shareHere)
afterEach(async () => {
  await runner?.close()
  runner = undefined
})

const nodePlaces = places.filter(({ language }) => language === 'node')

describe.each(nodePlaces)('Playwright in a sandbox ($name)', (place) => {
  test.each([
    ['files of the machine', `await page.goto('file:///etc/passwd')`, 'Only http, https'],
    [
      'files of the machine by CDP',
      `await (await context.newCDPSession(page)).send('DOM.setFileInputFiles', { files: ['/etc/passwd'] })`,
      'not for pages',
    ],
    ['another context', `await browser.newContext()`, 'stays in the browser context of its session'],
    ['the network', `await page.request.get('http://127.0.0.1:1/')`, 'The network is not available to this code.'],
    ['another browser', `await require('playwright').firefox.launch()`, 'undefined'],
    ['pages of the browser itself', `await page.goto('chrome://version')`, 'Only http, https'],
  ])('cannot use %s', async (_, code, error) => {
    runner = runnerOn(browser, place)
    expect(await outcome(runner, code)).toMatchObject({ exitCode: 1, error: expect.stringContaining(error) })
  })

  test('keeps the page and its state for the next code', async () => {
    runner = runnerOn(browser, place)
    await outcome(
      runner,
      `await page.goto('data:text/html,<title>Kept</title>'); await page.evaluate('window.kept = 5')`,
    )
    expect(
      await outcome(runner, `[await page.title(), await page.evaluate('kept'), context.pages().includes(page)]`),
    ).toMatchObject({ lastValue: '["Kept",5,true]' })
  })

  test('stays in the context of a session that shares its browser', async () => {
    const { browserContextId } = await browser.connection.browser.send('Target.createBrowserContext', {})
    await browser.connection.browser.send('Target.createTarget', { url: 'data:text/html,<title>Foreign</title>' })
    await browser.connection.browser.send('Target.createTarget', {
      url: 'data:text/html,<title>Own</title>',
      browserContextId,
    })
    runner = runnerOn(browser, { ...place, reach: { contextId: browserContextId } })
    const code = `await context.addCookies([{ name: 'a', value: 'b', url: 'http://127.0.0.1/' }])
      const other = await context.newPage()
      await other.setContent('<title>New</title>')
      JSON.stringify([await Promise.all(context.pages().map((each) => each.title())), (await context.cookies()).length])`
    expect(await outcome(runner, code)).toMatchObject({ lastValue: '[["Own","New"],1]' })
    const { cookies } = await browser.connection.browser.send('Storage.getCookies', {})
    expect(cookies).toEqual([])
    await browser.connection.browser.send('Target.disposeBrowserContext', { browserContextId })
  })
})

const strong = nodePlaces.find(({ sandbox }) => sandbox.name === 'bubblewrap')

test.skipIf(!strong)('uploads, draws and traces with files of its sandbox', async () => {
  runner = runnerOn(browser, strong!)
  const code = `const fs = require('fs')
    fs.writeFileSync('/tmp/note.txt', 'of the sandbox')
    await context.tracing.start({ snapshots: true })
    await page.setContent('<input type=file>')
    await page.setInputFiles('input', '/tmp/note.txt')
    await page.screenshot({ path: 'here.png' })
    await context.tracing.stop({ path: 'trace.zip' })
    const read = await page.$eval('input', (input) => input.files[0].text())
    JSON.stringify([read, fs.readFileSync('here.png').toString('latin1', 1, 4), fs.readFileSync('trace.zip').toString('latin1', 0, 2)])`
  expect(await outcome(runner, code)).toMatchObject({ lastValue: '["of the sandbox","PNG","PK"]' })
})

test('a bundle of Playwright that lacks the parts to replace is rejected', async () => {
  expect(() => edited('var nothing = 1;\ninit_coreBundle();', '1.0.0')).toThrow(
    /playwright-core has changed: no other browser/,
  )
})
