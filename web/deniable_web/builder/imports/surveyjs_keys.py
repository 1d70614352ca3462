"""The keys of SurveyJS that are noted in a certain way, if nothing reads them.

All other keys are noted as settings. Source: survey-core 3.1, Serializer.getProperties.
"""

from typing import Final

from deniable_web.builder.imports.imported import Changed
from deniable_web.builder.imports.nodes import Unread

# They change how the survey looks and works in the browser, but neither what is asked nor
# what is counted.
_APPEARANCE: Final = """
    allowAdaptiveActions allowClear allowCompleteSurveyAutomatic allowDragRange
    allowResizeComment allowSwap alternateRows autoAdvanceAllowComplete autoAdvanceEnabled
    autocomplete autoComplete autoFocusFirstError autoFocusFirstQuestion autoGenerate
    autoGrowComment backgroundImage backgroundImageAttachment backgroundImageFit
    backgroundOpacity cellComponent checkErrorsMode choicesLazyLoadEnabled
    choicesLazyLoadPageSize closeOnSelect colCount colSpan columnMinWidth commentAreaRows
    contentMode descriptionLocation displayMode displayRateDescriptionsAsExtremeItems
    effectiveColSpan errorLocation firstPageIsStarted firstPageIsStartPage fitToContainer
    focusFirstQuestionAutomatic focusOnFirstError goNextPageAutomatic gridLayoutColumns
    gridLayoutEnabled headerView hideNumber hideSelectedItems imageFit imageHeight imageWidth
    indent innerIndent inputFieldComponent inputSize inputTextAlignment isSinglePage
    itemComponent labelCount logoFit logoHeight logoPosition logoWidth matrixDragHandleArea
    maxCommentLength maxImageHeight maxImageWidth maxOthersLength maxTextLength maxWidth
    minImageHeight minImageWidth minWidth navigationButtonsLocation navigationButtonsVisibility
    page previewMode progressBarInheritWidthFrom progressBarLocation
    progressBarNavigationTextLocation progressBarShowNavigationText progressBarShowPageNumbers
    progressBarShowPageTitles progressBarType questionDescriptionLocation questionErrorLocation
    questionsOnPageMode questionStartIndex questionTitleLocation questionTitlePattern
    questionTitleWidth rateColorMode rateDescriptionLocation rateDisplayMode rateType renderAs
    requiredMark requiredText rowTitleWidth scaleColorMode searchEnabled searchMode
    separateSpecialChoices showBrandInfo showClearButton showCompletedPage showCompletePage
    showHeader showLabel showLabels showNavigationButtons showNumber showOptionsCaption
    showPageNumbers showPageTitles showPrevButton showPreviewBeforeComplete showProgressBar
    showQuestionNumbers showTimerPanel showTimerPanelMode showTitle showTOC size
    startWithNewLine state swapOrder textUpdateMode textWrapEnabled timerInfoMode timerLocation
    titleLocation tocItemComponent tocLocation tooltipVisibility useDisplayValuesInDynamicTexts
    useDisplayValuesInTitle useGrouping useTitleAsLabel validateVisitedEmptyFields
    verticalAlign width widthMode
"""
# They say how the other program names, sends and stores results.
_STORAGE: Final = """
    $schema cookieName includeIntoResult partialSendEnabled regionalFormat sendResultOnPageNext
    sjsVersion storeOthersAsComment surveyId surveyPostId surveyShowDataSaving
    valuePropertyName
"""
_RULES: Final = """
    choicesEnableIf choicesVisibleIf columnsVisibleIf eachRowUnique enableIf hideIfChoicesEmpty
    hideIfRowsEmpty isCommentRequired isExclusive isRequired maxLength maxSelectedChoices
    maxValueExpression minSelectedChoices minValueExpression requiredIf resetValueIf
    rowsVisibleIf setValueExpression setValueIf triggers validators visibleIf
"""

UNREAD: Final[Unread] = {
    **dict.fromkeys((_APPEARANCE + _STORAGE).split()),
    **dict.fromkeys(_RULES.split(), Changed.RULES),
    **dict.fromkeys(("hasComment", "showCommentArea"), Changed.COMMENT),
    **dict.fromkeys(("imageLink", "logo"), Changed.PICTURES),
    **dict.fromkeys(("correctAnswer", "defaultValue", "randomize"), Changed.SETTINGS),
}
