import { livesRecords } from '../models/record.lives.ts'
import { onScreens } from '../models/screens.ts'

livesRecords(onScreens())
