import { onScreens } from '../../models/lib/onScreens.ts'
import { livesRecords } from '../../models/record/kindWalks.ts'

livesRecords(onScreens())
