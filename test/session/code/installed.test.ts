import { realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Browser } from '../../../src/engine/browser/launch/types.ts'
import type { CodeRunner } from '../../../src/engine/code/runners.ts'
import { createInstalled } from '../../../src/engine/code/sandbox/installed.ts'
import { none } from '../../../src/engine/code/sandbox/sandbox.ts'
import { openHere } from '../../browser/programs/machine.ts'
import { processesBelow, until } from '../../helpers/processes.ts'
import { tempDir } from '../../helpers/program.ts'
import { installed, outcome, runnerOn, strong } from './programs/coding.ts'

const [python, bash] = (['python', 'bash'] as const).map((wanted) =>
  installed.find(({ language }) => language === wanted),
)
const page = `data:text/html,<title>Shop</title><input aria-label=Code><button onclick="document.title='sold'">Buy</button>`

let browser: Browser
let runner: CodeRunner
beforeAll(async () => {
  browser = await openHere()
})
afterAll(() => browser.close())
afterEach(() => runner?.close())
const said = async (code: string) => {
  const { stdout, stderr } = await outcome(runner, code)
  return `${stdout}${stderr}`
}
const belowUs = () => {
  const ofBrowser = [browser.pid!, ...processesBelow(browser.pid!)]
  return processesBelow(process.pid).filter((pid) => !ofBrowser.includes(pid))
}

describe.skipIf(!bash)('agent-browser itself', () => {
  let before: number[]
  beforeEach(() => {
    before = belowUs()
    runner = runnerOn(browser, bash!)
  })

  test('keeps its references for the next piece of code, and knows more than what is built in', async () => {
    expect(await said(`agent-browser open '${page.replaceAll("'", '%27')}'; agent-browser snapshot -i`)).toContain(
      'textbox "Code" [ref=e1]',
    )
    expect(await said('agent-browser fill @e1 new; agent-browser click @e2; agent-browser get title')).toContain('sold')
    expect(await said('agent-browser get value @e1; agent-browser storage local')).toMatch(/^new\n/)
  })

  test('writes its files for the code', async () => {
    const code = `mkdir pictures; cd pictures; agent-browser screenshot here.png; head -c 4 here.png | tail -c 3; echo
      agent-browser screenshot | grep -o '/.*png' | xargs head -c 4 | tail -c 3`
    expect(await said(code)).toBe('✓ Screenshot saved to here.png\nPNG\nPNG')
  })

  test('reads what is meant for it, and nothing else', async () => {
    const code = `agent-browser eval --stdin <<< 'document.title = "read"; 6 * 7'
      printf '%s\\n' 1 2 | while read -r each; do agent-browser eval "$each"; done
      echo '[["get","title"]]' | agent-browser batch`
    expect(await said(code)).toMatch(/^42\n1\n2\nread\n$/)
  })

  test('leaves the browser when it is closed, and comes back', async () => {
    const code = `agent-browser open 'data:text/html,<title>Stays</title>'; agent-browser close; agent-browser get title`
    expect(await said(code)).toMatch(/Browser closed\nStays\n$/)
  })

  test('does not reach files of the machine', async () => {
    const code = `agent-browser open file:///etc/passwd; agent-browser upload input /etc/passwd; agent-browser get url
      agent-browser cookies set --curl /etc/passwd; agent-browser batch --json < /etc/passwd`
    expect(await said(code)).not.toContain('root:')
  })

  test('reaches the network by the browser only', async () => {
    const service = createServer((_, response) => void response.end('<title>secret</title>'))
    await new Promise<void>((resolve) => void service.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void service.close())
    const address = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
    expect(await said(`agent-browser read ${address}`)).not.toContain('secret')
    expect(await said(`agent-browser open ${address}`)).toContain('secret')
  })

  test('is over with code that is killed within a command, and there for the next', async () => {
    expect(await outcome(runner, 'agent-browser wait 60000', 3000)).toMatchObject({ killed: true })
    await until(() => belowUs().every((pid) => before.includes(pid)))
    expect(await said('timeout 0.3 agent-browser wait 60000; agent-browser eval 6')).toBe('6\n')
  })

  test('stays until the runner is closed', async () => {
    await said('agent-browser eval 6')
    expect(belowUs().length).toBeGreaterThan(before.length)
    await runner.close()
    await until(() => belowUs().every((pid) => before.includes(pid)))
  })
})

describe.skipIf(!python)('Playwright itself, in Python', () => {
  beforeEach(() => {
    runner = runnerOn(browser, python!)
  })

  test('has more than what is built in', async () => {
    const code = `async def answer(route): await route.fulfill(body='<title>Made up</title>', content_type='text/html')
await page.route('**/*', answer)
await page.goto('http://nowhere.example/')
print(await page.locator('body').aria_snapshot() is not None)
await page.title()`
    expect(await outcome(runner, code)).toMatchObject({ stdout: 'True\n', lastValue: 'Made up', exitCode: 0 })
  })

  test.each([
    ['in a loop of its own', `import asyncio\nasync def main():\n    print(await page.title())\nasyncio.run(main())`],
    [
      'with a browser that it starts',
      `from playwright.async_api import async_playwright
async def main():
    async with async_playwright() as p:
        assert p.devices['iPhone 13']
        there = await p.chromium.launch(headless=True)
        mine = await there.new_page()
        await mine.goto('data:text/html,<title>Own</title>')
        print(await mine.title())
        await mine.close()
        await there.close()
import asyncio
asyncio.run(main())`,
    ],
  ])('is there for code %s', async (_, code) => {
    await outcome(runner, `await page.goto('data:text/html,<title>Own</title>')`)
    expect(await outcome(runner, code)).toMatchObject({ stdout: 'Own\n', stderr: '', exitCode: 0 })
  })

  test('tells what it waited for, before the time of the code is over', async () => {
    const { error, killed } = await outcome(runner, `await page.click('#nowhere')`, 6000)
    expect({ error, killed }).toEqual({ error: expect.stringMatching(/^TimeoutError: [^]*#nowhere/), killed: false })
  })

  test.each([
    `await page.goto('file:///etc/passwd')`,
    `await (await context.new_cdp_session(page)).send('DOM.setFileInputFiles', {'files': ['/etc/passwd']})`,
    `await browser.new_context()`,
    `await driver.chromium.launch()`,
  ])('does not do %s', async (code) => {
    expect(await outcome(runner, code)).toMatchObject({ exitCode: 1, lastValue: null, error: expect.any(String) })
  })
})

const look = (file: string) => createInstalled({ python: file, agentBrowser: file })

test.skipIf(installed.length < 2)('a session that shares its browser has what is built in', async () => {
  const { browserContextId: contextId } = await browser.connection.browser.send('Target.createBrowserContext', {})
  const reach = { contextId }
  runner = runnerOn(browser, { ...python!, reach })
  expect(await outcome(runner, 'await context.new_page()\ntype(page).__module__')).toMatchObject({
    lastValue: '__main__',
  })
  await runner.close()
  runner = runnerOn(browser, { ...bash!, reach })
  expect(await said('agent-browser tab new; agent-browser --version')).toContain('Commands: open')
})

describe.skipIf(!strong)('what is installed', () => {
  test.skipIf(!bash)('may be the script of the npm package', async () => {
    const folder = tempDir()
    onTestFinished(folder.remove)
    const script = join(folder.path, 'agent-browser.js')
    writeFileSync(script, '', { mode: 0o755 })
    const program = process.env['AGENT_BROWSER_PATH']!
    symlinkSync(program, join(folder.path, `agent-browser-linux-${process.arch}`))
    expect(await look(script)('bash', strong!)).toEqual({ agentBrowser: realpathSync(program) })
  })

  test('is not what does not run', async () => {
    await expect(look('/bin/false')('python', strong!)).rejects.toThrow('Python')
    await expect(look('/bin/false')('bash', strong!)).rejects.toThrow('agent-browser')
    await expect(look('/nowhere/program')('bash', strong!)).rejects.toThrow('agent-browser')
  })

  test('is not looked at where the sandbox is weak; for Node it is what Gossamer brings', async () => {
    const programs = look('/nowhere/program')
    expect(await programs('python', none)).toEqual({ python: { file: '/nowhere/program', reads: [], has: 'nothing' } })
    expect(await look('/nowhere/program')('bash', none)).toEqual({})
    expect(await programs('node', strong!)).toEqual({ playwright: expect.stringMatching(/playwright.*\.mjs$/) })
  })
})
