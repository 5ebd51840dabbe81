import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { gives, type ModelScript, refuses, startModelServer } from '../helpers/model-server.ts'
import { forAll, folderForAll } from '../helpers/for-all.ts'
import { runProgram } from '../helpers/program.ts'

const folder = folderForAll()
const server = forAll(startModelServer)

type Finding = { topic: string; state: string; says: string; advice?: string }

async function doctor(script: ModelScript, env: Record<string, string>) {
  server.play(script)
  const { code, stdout } = await runProgram(['doctor'], { GOSSAMER_DATA_DIR: join(folder.path, 'data'), ...env })
  const { findings } = JSON.parse(stdout) as { findings: Finding[] }
  return { code, stdout, about: (topic: string) => findings.filter((finding) => finding.topic === topic) }
}

const oneIsLoose: ModelScript = (call) =>
  call.jsonMode === 'json_schema' && call.model === 'small' ? refuses(400, 'no') : gives({ colour: 'blue' })

describe('doctor', () => {
  it('calls each model, and prints which one answered, in which mode, and the cost', async () => {
    const settings = { GOSSAMER_MODEL: 'large', GOSSAMER_FAST_MODEL: 'small', GOSSAMER_MODEL_KEY: 'sk-secret' }
    const { code, about, stdout } = await doctor(oneIsLoose, { ...settings, GOSSAMER_MODEL_URL: server.url('openai') })
    expect(code).toBe(0)
    const [best, fast] = about('Language model')
    expect(best?.says).toMatch(
      /^large-2026 at 127\.0\.0\.1:\d+ answers in [\d.]+ s by json_schema, for 11 input and 7 output tokens$/,
    )
    expect(fast?.says).toMatch(/^small-2026 at .* by json_object, for/)
    expect(about('Model usage')).toMatchObject([{ says: 'calls this month: 2, with 22 input and 14 output tokens' }])
    expect(stdout).not.toContain('sk-secret')
  })

  it('explains why a model does not respond, with a hint', async () => {
    const env = { GOSSAMER_MODEL: 'large', GOSSAMER_MODEL_URL: server.url('openai'), GOSSAMER_MODEL_KEY: 'sk-secret' }
    const { code, about, stdout } = await doctor(() => refuses(401, 'Incorrect API key: sk-secret'), env)
    expect(code).toBe(1)
    expect(about('Language model')).toMatchObject([
      {
        state: 'fault',
        says: expect.stringContaining('does not accept the key'),
        advice: expect.stringContaining('GOSSAMER_MODEL_KEY'),
      },
    ])
    expect(stdout).not.toContain('sk-secret')
  })

  it('explains how to set a model if none is set', async () => {
    const { code, about } = await doctor(() => gives({}), { GOSSAMER_MODEL_URL: server.url('openai') })
    expect(code).toBe(0)
    expect(about('Language model')).toMatchObject([
      {
        state: 'note',
        says: 'none, although GOSSAMER_MODEL_URL is set',
        advice: expect.stringContaining('GOSSAMER_MODEL'),
      },
    ])
    expect(server.calls).toEqual([])
  })
})
