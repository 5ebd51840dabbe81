import { type Block, blocksIn } from './blocks.ts'
import type { Outcome, Sandbox } from './sandbox.ts'
import { serversIn } from './snippets.ts'

export type PageReport = { ran: number; notRun: string[]; faults: string[] }

/** Runs the commands of a page in order, including the servers in its client configs. */
export async function runPage(path: string, page: string, sandbox: Sandbox, hasBrowser: boolean): Promise<PageReport> {
  const report: PageReport = { ran: 0, notRun: [], faults: [] }
  for (const block of blocksIn(page)) {
    const where = `${path}:${block.line}`
    const scripts = scriptsOf(block)
    if (scripts.length === 0) continue
    const refused = block.needsBrowser && !hasBrowser ? 'there is no browser' : wholeReason(block)
    report.notRun.push(...(refused === undefined ? partReasons(block, where) : [`${where}: ${refused}`]))
    if (refused !== undefined) continue
    for (const script of scripts) {
      const outcome = await sandbox.run(script)
      report.ran += countOf(script)
      if (outcome.code !== 0 && !isDocumented(outcome, page)) report.faults.push(faultText(path, block, outcome))
    }
  }
  return report
}

const shells = new Set(['sh', 'bash'])

/** Servers over stdio need no stop: they end when stdin closes. */
function scriptsOf(block: Block): string[] {
  if (!shells.has(block.language)) return serversIn(block).map(({ command, args = [] }) => [command, ...args].join(' '))
  const lines = block.code.split('\n')
  const skipped = block.notRun.map(({ begins }) => begins)
  return [lines.map((line) => (skipped.some((begins) => begins && line.startsWith(begins)) ? ':' : line)).join('\n')]
}

const wholeReason = ({ notRun }: Block) => notRun.find(({ begins }) => begins === '')?.reason
const partReasons = ({ notRun }: Block, where: string) =>
  notRun.map(({ begins, reason }) => `${where}: ${begins}: ${reason}`)

/** Number of lines that start a command. */
const countOf = (script: string) => script.split('\n').filter((line) => /^[^\s#:]/.test(line)).length

/** Reference examples use job ids that do not exist; the pages list the resulting errors. */
function isDocumented({ output }: Outcome, page: string): boolean {
  const [, code] = /"code":"(\w+)"/.exec(output) ?? []
  return code !== undefined && code !== 'BAD_REQUEST' && page.includes(`| \`${code}\` |`)
}

function faultText(path: string, block: Block, { code, output, faults, line }: Outcome): string {
  const command = block.code.split('\n')[line - 1] ?? block.code
  const said = (faults.trim() || output.trim()).split('\n').slice(-5).join('\n    ').slice(0, 1000)
  return `${path}:${block.line + line - 1}: exit code ${code}: ${command}\n    ${said}`
}
