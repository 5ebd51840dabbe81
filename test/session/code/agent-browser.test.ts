import { describe, expect, test } from 'vitest'
import { shareHere } from '../../browser/programs/shared.ts'
import { outcome, runnerOn, strong } from './programs/coding.ts'
import { none } from '../../../src/engine/code/sandbox/find-sandbox.ts'
import { forAll } from '../../helpers/for-all.ts'

const html = `<title>Shop</title><h1>Cart</h1><input aria-label=Code value=old><select aria-label=Size><option>S<option>L</select>
<input type=password aria-label=Secret value=hush><button onclick="document.title=document.querySelector('input').value">Apply</button>
<p>Two things</p><a href="data:text/html,<title>Help</title>">Help</a>`

const browser = forAll(shareHere)
const runner = forAll(() => runnerOn(browser, { language: 'bash', sandbox: strong ?? none }))
const printed = async (code: string) => (await outcome(runner, code)).stdout

describe('agent-browser', () => {
  test('opens a page and shows its controls', async () => {
    const page = `data:text/html,${encodeURIComponent(html)}`
    expect(await printed(`agent-browser open '${page.replaceAll("'", '%27')}'`)).toMatch(/^✓ Shop\n/)
    expect(await printed('agent-browser snapshot -i')).toBe(
      [
        '- textbox "Code" [ref=e1]: old',
        '- combobox "Size" [ref=e2]: S',
        '- textbox "Secret" [ref=e3]',
        '- button "Apply" [ref=e4]',
        '- link "Help" [ref=e5]',
        '',
      ].join('\n'),
    )
    expect(await printed('agent-browser snapshot')).toContain('- heading "Cart" [level=1]\n')
  })

  test('keeps element references for the next code', async () => {
    await printed('agent-browser snapshot -i')
    const code = `agent-browser fill @e1 "it's new" && agent-browser select @e2 L && agent-browser click @e4 && agent-browser get title`
    expect(await printed(code)).toBe("✓ Done\n✓ Done\n✓ Done\nit's new\n")
    expect(await printed('agent-browser get value @e2')).toBe('L\n')
  })

  test.each([
    ['get text h1', 'Cart\n'],
    ['get count input', '2\n'],
    ['get attr input aria-label', 'Code\n'],
    ['is visible h1', 'true\n'],
    ['eval "1 + 1"', '2\n'],
    [`eval '({ a: [1] }).a'`, '[\n  1\n]\n'],
    ['find role heading text --name cart', 'Cart\n'],
    ['find text "Two things" text', 'Two things\n'],
    ['find nth 1 input fill x', '✓ Done\n'],
    ['wait --text Cart', '✓ Done\n'],
    ['wait h1', '✓ Done\n'],
    ['press Tab', '✓ Done\n'],
    ['scroll down 100', '✓ Done\n'],
    ['get count li --json', '{"success":true,"data":{"count":0}}\n'],
    ['close', '✓ Browser closed\n'],
  ])('prints the result of %s', async (command, output) => {
    expect(await outcome(runner, `agent-browser ${command}`)).toMatchObject({
      stdout: output,
      stderr: strong ? '' : expect.stringContaining('without a sandbox'),
      exitCode: 0,
    })
  })

  test.each([
    ['nonsense', 'Unknown command: nonsense'],
    ['click', 'Missing selector or @ref'],
    ['click @e99', '@e99 is not known or gone'],
    ['get nonsense', 'Use one of'],
    ['wait h7 --timeout 100', 'Timeout 100ms exceeded'],
    ['open file:///etc/passwd', 'Only http'],
    ['tab new localhost:1', 'at https://localhost:1'],
  ])('%s fails with a reason and an exit code', async (command, reason) => {
    const result = await outcome(runner, `agent-browser ${command}`)
    expect(result).toMatchObject({ stdout: '', exitCode: 1, stderr: expect.stringContaining(reason) })
  })

  test('opens, lists and closes tabs', async () => {
    await printed(`agent-browser tab new 'data:text/html,<title>Second</title>'`)
    const [list, ...rest] = (await printed('agent-browser tab')).trim().split('\n')
    expect([list, ...rest].filter((line) => line!.startsWith('→'))).toEqual([expect.stringContaining('Second')])
    await printed('agent-browser tab close')
    expect(await printed('agent-browser tab')).not.toContain('Second')
  })

  test('rejects element references after the page has navigated', async () => {
    await printed('agent-browser snapshot -i; agent-browser open "data:text/html,<title>Help</title>"')
    expect(await printed('agent-browser get title')).toBe('Help\n')
    expect((await outcome(runner, 'agent-browser click @e1')).stderr).toContain('snapshot -i')
  })

  test('can be started by other programs, and concurrently', async () => {
    if (!strong) return
    expect(await printed('seq 5 | xargs -P 5 -I{} agent-browser eval {} | sort')).toBe('1\n2\n3\n4\n5\n')
    expect((await outcome(runner, 'timeout 0.3 agent-browser wait 60000')).exitCode).toBe(124)
    expect(await printed('agent-browser eval 6')).toBe('6\n')
  })
})
