import { inChromium } from '../../models/lib/inChromium.ts'
import { livesRecords } from '../../models/record/kindWalks.ts'

livesRecords(inChromium())
