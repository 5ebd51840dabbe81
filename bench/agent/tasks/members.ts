import { members as all } from '../facts.ts'
import { partOf } from '../hand.ts'
import type { Task } from '../task.ts'

type Row = { number: number; name: string; since: number }

export const members: Task = {
  name: '30 rows over 3 pages',
  wording: 'List all members of the table at /members with their numbers, names, and since when they are members.',
  answer: all,
  async acts(ours) {
    const first = await ours.act({ type: 'navigate', url: '/members' }, { type: 'extract', as: 'rows' })
    partOf(first, /Page 1 of 3/)
    const rest = await ours.act(
      { type: 'click', target: 'link "Next"' },
      { type: 'extract', as: 'rows' },
      { type: 'click', target: 'link "Next"' },
      { type: 'extract', as: 'rows' },
    )
    return `${first}\n${rest}`.split('\n').flatMap(rowsOfLine)
  },
  async refs(peer) {
    await peer.navigate('/members')
    const pages = [await peer.snapshot()]
    while (pages.at(-1)?.includes('link "Next"')) {
      await peer.click('link "Next"')
      pages.push(await peer.snapshot())
    }
    return pages.flatMap(rowsOfTree)
  },
  async code(run) {
    await run(`await page.goto('/members'); return await page.locator('main').innerText()`)
    const output = await run(
      `const rows = []; for (;;) { rows.push(...await page.locator('tbody tr').allInnerTexts()); const next = page.getByRole('link', { name: 'Next' }); if (await next.count() === 0) break; await next.click() } return rows.join('\\n')`,
    )
    return output.split('\n').flatMap((line) => (/^\d+\t/.test(line) ? [rowOf(line.split('\t'))] : []))
  },
}

const rowOf = ([number, name = '', since]: readonly (string | undefined)[]): Row => ({
  number: Number(number),
  name,
  since: Number(since),
})

/** Parses objects, or values in column order. */
function rowsOfLine(line: string): Row[] {
  const found = /\{"No\.":.*?\}/.exec(line)
  if (!found) return []
  const row = JSON.parse(found[0]) as Record<string, string>
  return [rowOf([row['No.'], row['Name'], row['Since']])]
}

function rowsOfTree(tree: string): Row[] {
  const rows = tree.split('- row ').slice(1)
  return rows
    .map((row) => rowOf(Array.from(row.matchAll(/(?:cell|link) "(.+?)"/g), ([, text]) => text)))
    .filter(({ number }) => number > 0)
}
