import { expect, test } from 'vitest'
import { isAlive, until } from '../helpers/processes.ts'
import { installed } from '../session/code/programs/coding.ts'
import { serverForTest } from './sessions-kit.ts'

const [python, agentBrowser] = ['PLAYWRIGHT_PYTHON', 'AGENT_BROWSER_PATH'].map((name) => process.env[name] ?? '')
const titled = 'data:text/html,<title>Here</title><button>Press</button>'

test.skipIf(installed.length < 2)(
  'a server that is told of a Python with Playwright and of agent-browser gives them to code, and leaves nothing of them',
  async () => {
    const server = await serverForTest({ GOSSAMER_PYTHON: python!, GOSSAMER_AGENT_BROWSER: agentBrowser! })
    const session = await server.open()
    const bash = { language: 'bash' }
    await session.run(`await page.goto('${titled}')`)
    expect((await session.run('agent-browser get title; agent-browser snapshot -i', bash)).body).toMatchObject({
      stdout: expect.stringMatching(/^Here\n.*Press.*ref=e1/),
      exitCode: 0,
    })
    expect((await session.run('agent-browser click @e1 && agent-browser get count button', bash)).body).toMatchObject({
      stdout: expect.stringContaining('1\n'),
      stderr: '',
    })
    const code = `print(type(page).__module__)\nawait page.title()`
    expect((await session.run(code, { language: 'python' })).body).toMatchObject({
      stdout: 'playwright.async_api._generated\n',
      result: expect.any(String),
      exitCode: 0,
    })

    expect(server.processes('code').length).toBeGreaterThan(3)
    await session.close()
    await expect.poll(() => server.processes('code')).toEqual([])

    const other = await server.open()
    await other.run('agent-browser get title', bash)
    const left = server.processes()
    process.kill(server.pid, 'SIGKILL')
    await until(() => left.every((pid) => !isAlive(pid)))
  },
)
