import { z } from 'zod'
import { defineOperation } from '../../src/kernel/operation.ts'
import type { McpOptions } from '../../src/surfaces/mcp/server-options.ts'
import { offered, toyOptions } from './toy.ts'

export const loginUrl = 'https://live.example/take-over'

/** An operation that needs a person, and the state of each of its runs. */
export function toyLogin() {
  const runs: string[] = []
  const operation = defineOperation({
    name: 'toy_login',
    route: 'POST /v2/toy/login',
    title: 'Log in',
    about: 'Log in with the help of a person.',
    effect: 'create',
    example: { times: 1 },
    input: z.object({ times: z.int().min(1).default(1).describe('How often to ask.') }),
    output: z.object({ answers: z.array(z.string()) }),
    errors: [],
    run: async ({ times }, { askPerson, signal, progress }) => {
      const at = runs.push('running') - 1
      const answers: string[] = []
      try {
        progress(1, 2, 'asking')
        for (let round = 0; round < times; round += 1)
          answers.push((await askPerson?.({ message: 'Please log in.', url: loginUrl }, signal)) ?? 'cannot be asked')
        runs[at] = 'done'
        return { answers }
      } catch (error) {
        runs[at] = signal.aborted ? 'aborted' : 'failed'
        throw error
      }
    },
  })
  const options: McpOptions = { ...toyOptions(), ...offered([operation]) }
  return { runs, options }
}
