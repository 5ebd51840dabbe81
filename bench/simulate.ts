/** Simulates how a crawl scales with its workers; `--check-real` compares it with real servers: see README.md. */
import { parseArgs } from 'node:util'
import { commonFlags, positive, userPath, writeJson } from './lib/flags.ts'
import { table } from './lib/table.ts'
import { checkReal } from './simulate/check.ts'
import { type Load, simulate, type Simulated } from './simulate/simulate.ts'

const { values } = parseArgs({
  options: {
    server: commonFlags.server,
    json: commonFlags.json,
    workers: { type: 'string', default: '1,2,5,10,20,50,100,200,500,1000' },
    'pages-at-once': { type: 'string', default: '64' },
    cores: { type: 'string', default: '2' },
    pages: { type: 'string', default: '100000' },
    hosts: { type: 'string', default: '1000' },
    skew: { type: 'string', default: '0' },
    'host-concurrency': { type: 'string', default: '8' },
    'crawl-delay': { type: 'string', default: '0' },
    answer: { type: 'string', default: '200' },
    cpu: { type: 'string', default: '10.5' },
    claim: { type: 'string', default: '1.5' },
    finish: { type: 'string', default: '6' },
    upkeep: { type: 'string', default: '1' },
    spread: { type: 'string', default: '0.33' },
    seed: { type: 'string', default: '1' },
    'check-real': { type: 'boolean', default: false },
    'real-pages': { type: 'string', default: '200' },
  },
})
type Flag = Exclude<keyof typeof values, 'check-real' | 'json'>
const whole = (flag: Flag) => positive(`--${flag}`, values[flag])

/** Fails with a message for the user if the text is not a number from 0 to `most`. */
function number(flag: Flag, most = Infinity): number {
  const given = Number(values[flag] || NaN)
  if (given >= 0 && given <= most) return given
  throw new Error(`--${flag} takes a number from 0${most === Infinity ? '' : ` to ${most}`}`)
}

const load: Omit<Load, 'workers'> = {
  pagesAtOnce: whole('pages-at-once'),
  cores: whole('cores'),
  pages: whole('pages'),
  hosts: whole('hosts'),
  skew: number('skew'),
  hostConcurrency: whole('host-concurrency'),
  crawlDelayMs: number('crawl-delay'),
  times: {
    answer: number('answer'),
    cpu: number('cpu'),
    claim: number('claim'),
    finish: number('finish'),
    upkeep: number('upkeep'),
  },
  spread: number('spread', 1),
  seed: whole('seed'),
}

const percent = (share: number) => `${(share * 100).toFixed(0)} %`
const rowOf = (workers: number, { pagesPerSecond, seconds, cpu, lock, host, bound }: Simulated) => [
  String(workers),
  pagesPerSecond.toFixed(pagesPerSecond < 100 ? 1 : 0),
  percent(cpu),
  percent(lock),
  percent(host),
  bound,
  seconds.toFixed(0),
]

if (values['check-real']) {
  const checked = await checkReal(userPath(values.server), { ...load, workers: 1 }, whole('real-pages'))
  const head = ['crawl', 'measured pages/s', 'simulated', 'simulated to measured', 'CPU ms a page', 'lock ms a page']
  const rows = checked.map(({ name, measured, simulated, cpuMsPerPage, lockMsPerPage }) => [
    name,
    measured.toFixed(1),
    simulated.toFixed(1),
    `${(simulated / measured).toFixed(2)}×`,
    cpuMsPerPage.toFixed(1),
    lockMsPerPage.toFixed(1),
  ])
  console.log(table(head, rows))
  await writeJson(values.json, { node: process.version, load, checked })
} else {
  const simulated = values.workers.split(',').map((text) => {
    const workers = positive('--workers', text)
    return { workers, ...simulate({ ...load, workers }) }
  })
  const head = ['workers', 'pages/s', 'CPU busy', 'lock held', 'busiest host', 'bound', 'seconds']
  console.log(
    table(
      head,
      simulated.map((each) => rowOf(each.workers, each)),
    ),
  )
  await writeJson(values.json, { load, simulated })
}
