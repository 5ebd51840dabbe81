import { describe, expect, test } from 'vitest'
import { branding } from '../../src/engine/scrape/formats/format-table.ts'
import { failure } from '../../src/kernel/error.ts'
import type { Branding } from '../../src/schema/scrape/branding-schema.ts'
import { modelFor } from '../../src/engine/scrape/scrape-request.ts'
import { fakeCtx, fakeWorld } from '../helpers/fakes.ts'
import type { ModelAnswers } from '../helpers/fake-model.ts'

const measured: Branding = {
  colors: { primary: '#111111', accent: '#FF6600', background: '#FFFFFF' },
  components: { buttonPrimary: { background: '#0055AA' } },
  personality: { density: 'compact' },
}

async function make(
  answers?: ModelAnswers,
  { isZeroRetention = false, found = { branding: measured } as { branding?: Branding } } = {},
) {
  const { ports, model } = fakeWorld()
  model.answers = answers
  const view = {
    content: { markdown: 'Rockets for all', ...found },
    url: 'https://example.com/',
    rawHtml: () => '',
    model: modelFor(ports, { ...fakeCtx(), timeoutMs: 10_000, isZeroRetention }),
  }
  return { ...(await branding.make(view, { type: 'branding' })), questions: model.questions }
}

describe('the format branding', () => {
  test('is as measured without a model, and has no warning', async () => {
    expect(await make()).toEqual({ branding: measured, madeBy: { llmMode: 'builtin' }, questions: [] })
  })

  test('gets roles of measured colours, and traits, from a model', async () => {
    const refinement = {
      primary: '#0055AA',
      accent: '#BADA55',
      tone: 'bold',
      energy: 'high',
      targetAudience: ' Engineers ',
    }
    const { branding: refined, madeBy, questions } = await make(() => refinement)
    expect(refined).toEqual({
      ...measured,
      colors: { primary: '#0055AA', accent: '#FF6600', background: '#FFFFFF' },
      personality: { density: 'compact', tone: 'bold', energy: 'high', targetAudience: 'Engineers' },
    })
    expect(madeBy).toEqual({ llmMode: 'model', llmModel: 'fake' })
    expect(questions[0]?.schema).toMatchObject({
      properties: { primary: { enum: ['#111111', '#FF6600', '#FFFFFF', '#0055AA'] } },
    })
  })

  test('is as measured if the model fails, or with zero data retention', async () => {
    const failing = await make(() => {
      throw failure('MODEL_FAILED')
    })
    expect(failing).toMatchObject({ branding: measured, madeBy: { llmMode: 'builtin' } })
    expect(failing).not.toHaveProperty('warning')
    const secret = await make(() => ({ tone: 'bold' }), { isZeroRetention: true })
    expect(secret).toEqual({ branding: measured, madeBy: { llmMode: 'builtin' }, questions: [] })
  })
})
