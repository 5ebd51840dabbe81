import type { Task } from './task.ts'
import { almanac } from './tasks/almanac.ts'
import { docs } from './tasks/docs.ts'
import { form } from './tasks/form.ts'
import { handbook } from './tasks/handbook.ts'
import { log } from './tasks/log.ts'
import { login } from './tasks/login.ts'
import { members } from './tasks/members.ts'
import { search } from './tasks/search.ts'
import { wizard } from './tasks/wizard.ts'

/** The task that leaves a tab open comes last. */
export const tasks: readonly Task[] = [form, login, search, members, log, handbook, almanac, docs, wizard]
