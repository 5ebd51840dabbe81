import { localTeam } from '../../../app/app.ts'
import type { Config } from '../../../app/config.ts'
import { envNameOf } from '../../../app/read-config.ts'
import type { Finding } from '../../../contracts/ports.ts'
import type { ModelRequest } from '../../../contracts/model-port.ts'
import { toAppError } from '../../../kernel/error.ts'
import { monthStart } from '../../../contracts/account-ports.ts'
import type { CommandContext } from '../../command.ts'

type Parts = Pick<CommandContext, 'app' | 'config' | 'signal'>
type Effort = ModelRequest['effort']

/** Sends one small request to each configured model, in the form that extraction uses. */
export async function modelFindings(parts: Parts): Promise<Finding[]> {
  const { config } = parts
  if (config.remoteUrl !== undefined) return [{ topic, state: 'ok', says: 'used by the remote service' }]
  if (config.model === undefined) return [unset(config)]
  const efforts: Effort[] = config.fastModel === undefined ? ['best'] : ['best', 'fast']
  const tried: Finding[] = []
  for (const effort of efforts) tried.push(await tryOut(parts, effort))
  return [...tried, await spending(parts)]
}

const topic = 'Language model'

function unset(config: Config): Finding {
  const given = (['modelUrl', 'modelKey', 'fastModel'] as const).filter((key) => config[key] !== undefined)
  if (given.length > 0)
    return {
      topic,
      state: 'note',
      says: `none, although ${given.map(envNameOf).join(' and ')} is set`,
      advice: `Name the model in ${envNameOf('model')}.`,
    }
  return {
    topic,
    state: 'note',
    says: 'none is set',
    advice: `Set ${envNameOf('model')} and, for a server of your own, ${envNameOf('modelUrl')}. docs/models.md has examples.`,
  }
}

const question = {
  task: 'doctor',
  teamId: localTeam.id,
  keyName: localTeam.key,
  system: 'You extract data from text.',
  input: [{ role: 'user', text: 'The sky is blue.' }],
  // Reasoning models need room for their thoughts.
  maxOutputTokens: 1000,
  timeoutMs: 60_000,
  schema: {
    type: 'object',
    properties: { colour: { type: 'string' } },
    required: ['colour'],
    additionalProperties: false,
  },
} as const

async function tryOut({ app, config, signal }: Parts, effort: Effort): Promise<Finding> {
  const begin = performance.now()
  const host = new URL(config.modelUrl ?? '').host
  try {
    const { model, jsonMode, usage } = await app.model.object({ ...question, effort, signal })
    const seconds = ((performance.now() - begin) / 1000).toFixed(1)
    const cost = `${usage.inputTokens} input and ${usage.outputTokens} output tokens`
    return { topic, state: 'ok', says: `${model} at ${host} answers in ${seconds} s by ${jsonMode}, for ${cost}` }
  } catch (thrown) {
    const { message, hint } = toAppError(thrown)
    const name = effort === 'fast' ? config.fastModel : config.model
    return { topic, state: 'fault', says: `${name} at ${host}: ${message}`, advice: hint }
  }
}

/** Usage of all teams in this month. */
async function spending({ app }: Parts): Promise<Finding> {
  const name = 'Model usage'
  try {
    const { usage } = await app.store()
    const months = (await usage.modelMonths({})).filter(({ start }) => start === monthStart(Date.now()))
    const sum = (key: 'calls' | 'inputTokens' | 'outputTokens') =>
      months.reduce((total, month) => total + month[key], 0)
    const tokens = `${sum('inputTokens')} input and ${sum('outputTokens')} output tokens`
    return { topic: name, state: 'ok', says: `calls this month: ${sum('calls')}, with ${tokens}` }
  } catch (thrown) {
    return { topic: name, state: 'note', says: toAppError(thrown).message }
  }
}
