import type { Clock } from '../../contracts/ports.ts'
import type { Delivery } from '../../contracts/job-ports.ts'
import type { NewWorkflow, Workflow, WorkflowEnd } from '../../contracts/workflow.ts'
import type { ExtractInput } from '../../schema/workflow-schemas.ts'
import { createEvent, type JobEvent } from '../webhook/event.ts'

type Job = Pick<Workflow, 'id' | 'kind' | 'request'>

export const startedEvent = (workflow: NewWorkflow | Workflow): Delivery | undefined =>
  eventOf(workflow, { event: 'started', now: workflow.createdAt })

export const cancelledEvent =
  (clock: Clock) =>
  (workflow: NewWorkflow | Workflow): Delivery | undefined =>
    eventOf(workflow, { event: 'cancelled', now: clock.now() })

/** The result comes with the event. */
export function endEvents(workflow: Job, { status, result, error }: WorkflowEnd, now: number): Delivery[] {
  const event = eventOf(workflow, {
    event: status,
    now,
    ...(result && { data: [result] as const }),
    ...(error && { error: `${error.code}: ${error.message}` }),
  })
  return event ? [event] : []
}

function eventOf({ id, kind, request }: Job, happening: Pick<JobEvent, 'event' | 'data' | 'error' | 'now'>) {
  // Jobs of other kinds, and of older versions, have none.
  const { webhook } = request as Pick<ExtractInput, 'webhook'>
  return createEvent(webhook, { ...happening, kind, crawlId: id })
}
