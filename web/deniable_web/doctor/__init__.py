"""Checks an installation, from outside as respondents reach it and from inside its machine."""

from deniable_web.doctor.diagnosis import Diagnosis, Urgency
from deniable_web.doctor.inside import Inside, examine_inside
from deniable_web.doctor.outside import Outside, examine_outside

__all__ = ["Diagnosis", "Inside", "Outside", "Urgency", "examine_inside", "examine_outside"]
