import { expect, vi } from 'vitest'
import type { Workflows } from '../../src/contracts/workflow.ts'
import {
  createWorkflowRunner,
  type WorkflowDefinition,
  type WorkflowRun,
  type WorkflowRunnerOptions,
} from '../../src/engine/workflow/run-workflow.ts'
import { aWorkflow, logBook } from '../contracts/fixtures.ts'
import { opened } from '../contracts/store-under-test.ts'
import { forTest } from '../helpers/for-all.ts'
import { openSqliteStore } from '../store/sqlite-under-test.ts'

type Work = (run: WorkflowRun) => Promise<object>

/** A store, and runners on it, each like that of another process; all workflows do the same work. */
export async function workflowWorld(work: Work) {
  const { store, another, clock } = await opened(openSqliteStore)
  const { workflows, usage } = store
  const definition = async (): Promise<WorkflowDefinition> => ({ run: work })
  const definitions = { extract: definition, agent: definition, llmstxt: definition, monitor: definition }
  const found = (id: string) => workflows.find(id)
  return {
    workflows,
    clock,
    found,
    /** Starts a runner, by default with its own connection to the store. */
    async runner(port?: Workflows, options: Partial<WorkflowRunnerOptions> = {}) {
      const { log } = logBook()
      const own = port ?? (await another()).workflows
      return forTest(createWorkflowRunner(own, { definitions, log, eventWritten: () => {}, ...options }))
    },
    creditsUsed: () => usage.since('team', 0),
    async start() {
      const workflow = aWorkflow()
      await workflows.start(workflow)
      return workflow.id
    },
    ended: (id: string) =>
      vi.waitFor(async () => {
        const workflow = await found(id)
        expect(workflow?.status).not.toBe('processing')
        return workflow
      }, 20_000),
  }
}
